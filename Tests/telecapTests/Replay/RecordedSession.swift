import TelecapCapture
import TelecapRecording
import TelecapTele
import TelecapWire

/// Writes a recording packet by packet, for a replay.
final class RecordedSession {
  static let phone = Endpoint(IPAddress(v4: 0xc000_0207), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)
  static let mouse = Endpoint(IPAddress(v4: 0xc000_0209), port: 41_000)
  static let pointer = Endpoint(IPAddress(v4: 0xc000_0201), port: 8_888)
  static let clicks = Endpoint(IPAddress(v4: 0xc000_0201), port: 8_889)

  private var writer: PcapngWriter
  private var frames = FrameBuilder(link: .ethernet)
  private var packets = 0

  /// The payloads of the datagrams so far, by their packets' numbers.
  private(set) var payloads: [Int: [UInt8]] = [:]

  init(_ path: String) throws {
    writer = try PcapngWriter(path: path, tool: "test")
    try writer.add(Interface(name: "lo", linkType: frames.link.linkType))
  }

  private enum Step { case open, send, close }

  private func write(_ flow: Flow, _ bytes: [UInt8], at milliseconds: Int64, _ step: Step = .send) throws {
    var frame: [UInt8] = []
    switch step {
    case .open: try frames.appendOpening(flow, to: &frame)
    case .send: try frames.append(bytes.span.bytes, flow, to: &frame)
    case .close: try frames.appendClosing(flow, to: &frame)
    }
    packets += 1
    if flow.carrier == .udp { payloads[packets] = bytes }
    let header = PacketHeader(
      number: packets, time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + milliseconds * 1_000_000),
      originalLength: frame.count, linkType: frames.link.linkType)
    try writer.write(header, frame.span.bytes)
  }

  func datagram(_ bytes: [UInt8], from: Endpoint = phone, to: Endpoint = host, at milliseconds: Int64) throws {
    try write(Flow(.udp, from: from, to: to), bytes, at: milliseconds)
  }

  func open(_ from: Endpoint, _ to: Endpoint, at milliseconds: Int64) throws {
    try write(Flow(.tcp, from: from, to: to), [], at: milliseconds, .open)
    try write(Flow(.tcp, from: to, to: from), [], at: milliseconds, .open)
  }

  func stream(_ bytes: [UInt8], _ from: Endpoint, _ to: Endpoint, at milliseconds: Int64) throws {
    try write(Flow(.tcp, from: from, to: to), bytes, at: milliseconds)
  }

  func close(_ from: Endpoint, _ to: Endpoint, at milliseconds: Int64) throws {
    try write(Flow(.tcp, from: from, to: to), [], at: milliseconds, .close)
  }

  func finish() throws { try writer.finish() }

  /// So many poses, 5 ms apart.
  @discardableResult
  static func poses(_ path: String, _ count: Int) throws -> RecordedSession {
    let session = try RecordedSession(path)
    for seq in 0..<count { try session.datagram(try pose(seq), at: Int64(seq) * 5) }
    try session.finish()
    return session
  }

  static func pose(_ seq: Int) throws -> [UInt8] {
    try Message.pose(
      seq: UInt16(seq), timestampMicroseconds: UInt64(seq) * 16_667, position: [Float(seq), 0, 0],
      orientation: [0, 0, 0, 1]
    ).bytes
  }

  /// HELLO and ACK, poses and forces (two of them out of range), BYE: a second of TELE in both directions.
  static func teleoperation(_ path: String) throws -> RecordedSession {
    let session = try RecordedSession(path)
    let hello = try Message.hello(sessionID: 0x0102_0304, code: "OLDONE").bytes
    for step in 0..<200 {
      let time = Int64(step) * 5
      if step % 50 == 0 {
        try session.datagram(hello, at: time)
        try session.datagram(Message.ack(.ok).bytes, from: host, to: phone, at: time + 1)
      }
      try session.datagram(try pose(step), at: time + 2)
      if step % 20 == 5 {
        try session.datagram(try haptic(forces[step / 20]), from: host, to: phone, at: time + 3)
      }
    }
    try session.datagram(Message.bye(sessionID: 0x0102_0304).bytes, at: 1000)
    try session.finish()
    return session
  }

  private static let forces: [Float] = [0.1, 0.5, 1.5, -0.5, 0.9, 0.25, 2, 0.75, 0.5, 0]

  static func haptic(_ intensity: Float) throws -> [UInt8] {
    try Message(
      .haptic,
      fields: [
        "magic": .text("TELE"), "msg_type": .unsigned(7), "version": .unsigned(1), "intensity": .float(intensity),
      ]
    ).bytes
  }

  /// A phone of tcp-v1: HELLO and 50 poses over one connection, two messages in one segment and one in two.
  static func streamed(_ path: String) throws -> RecordedSession {
    let session = try RecordedSession(path)
    try session.open(phone, host, at: 0)
    var bytes = try Message.hello(sessionID: 7, code: "ABC123").framed(as: .teleTCP)
    for seq in 0..<50 { bytes += [46, 0] + (try pose(seq)) }
    for start in stride(from: 0, to: bytes.count, by: 70) {
      try session.stream(Array(bytes[start..<min(bytes.count, start + 70)]), phone, host, at: Int64(start / 20))
    }
    try session.close(phone, host, at: 300)
    try session.finish()
    return session
  }

  /// A mouse that moves over UDP and clicks over TCP.
  static func dragging(_ path: String) throws -> RecordedSession {
    let session = try RecordedSession(path)
    try session.open(mouse, clicks, at: 0)
    try session.stream([0xbb, 1, 0, 0, 0], mouse, clicks, at: 1)
    for step in 0..<40 {
      try session.datagram([0xaa, 1, 3, UInt8(bitPattern: -2), 0], from: mouse, to: pointer, at: 2 + Int64(step) * 5)
    }
    try session.stream([0xbb, 0], mouse, clicks, at: 210)
    try session.stream([0, 0, 0], mouse, clicks, at: 212)
    try session.close(mouse, clicks, at: 213)
    try session.finish()
    return session
  }
}
