import TelecapMouse
import TelecapRecording
import TelecapStore
import TelecapTele
import TelecapWire

/// Eight seconds of a session as in a capture, without chance: HELLO, ACK, poses of which some are lost, a force ramp
/// that goes over 1, commands, a second client, a mouse, and BYE. Its messages come after 42 bytes of headers in their
/// frames, as on Ethernet.
struct Example {
  struct Piece {
    var time: Timestamp
    var flow: Flow
    var dialect: Dialect
    var direction: Direction
    var bytes: [UInt8]
  }

  private(set) var pieces: [Piece] = []

  static let host = Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000)
  static let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
  static let rival = Endpoint(IPAddress(v4: 0xC000_0203), port: 40_002)
  static let pointer = Endpoint(IPAddress(v4: 0xC000_0201), port: 8_888)
  static let start: Int64 = 1_700_000_000_000_000_000

  init() throws {
    for second in 0..<8 {
      add(second * 1_000, try .hello(sessionID: 7, code: "AB12CD"), fromClient: true)
      add(second * 1_000 + 1, .ack(.ok), fromClient: false)
    }
    try addPoses()
    try addHaptics()
    add(2_500, .cmd(Cmd.recording, true), fromClient: true)
    add(6_500, .cmd(Cmd.recording, false), fromClient: true)
    add(6_700, .cmd(Cmd.keepRecording, true), fromClient: true)
    for attempt in 0..<2 {
      let time = 3_200 + attempt * 1_000
      add(
        time, try .hello(sessionID: 9, code: "AB12CD"), Flow(.udp, from: Example.rival, to: Example.host),
        .clientToServer)
      add(time + 1, .ack(.busy), Flow(.udp, from: Example.host, to: Example.rival), .serverToClient)
    }
    let mouse = Flow(.udp, from: Example.phone, to: Example.pointer)
    for step in 0..<40 {
      let movement = Message.mouseMovement(deltaX: 3, deltaY: step.isMultiple(of: 2) ? -1 : 2, buttons: 1)
      add(4_000 + step * 16, movement, mouse, .clientToServer, .mouse)
    }
    add(7_900, .bye(sessionID: 7), fromClient: true)
    pieces.sort { $0.time < $1.time }
  }

  /// 60 Hz, a little early or late; each hundredth is lost.
  private mutating func addPoses() throws {
    for index in 0..<470 where index % 100 != 99 {
      let angle = Float(index) * 0.01
      let message = try Message.pose(
        seq: UInt16(truncatingIfNeeded: 65_300 + index), timestampMicroseconds: UInt64(index) * 16_667,
        movementStart: index == 0, position: [angle, 0.5, -angle], orientation: [0, 0, 0, 1])
      let jitter = index % 3 - 1
      add(20 + index * 16_667 / 1_000 + jitter, message, fromClient: true)
    }
  }

  /// 20 Hz, from 0 up; the last are over 1, as a host that does not clamp sends them.
  private mutating func addHaptics() throws {
    for index in 0..<22 {
      var haptic = Typed<Haptic>()
      haptic[Haptic.fields.intensity] = Float(Double(index) * 0.05)
      add(1_010 + index * 50, haptic.message, fromClient: false)
    }
  }

  private mutating func add(_ milliseconds: Int, _ message: Message, fromClient: Bool) {
    let flow = Flow(.udp, from: Example.phone, to: Example.host)
    add(milliseconds, message, fromClient ? flow : flow.reversed, fromClient ? .clientToServer : .serverToClient)
  }

  private mutating func add(
    _ milliseconds: Int, _ message: Message, _ flow: Flow, _ direction: Direction, _ dialect: Dialect = .teleUDP
  ) {
    let time = Timestamp(nanoseconds: Example.start + Int64(milliseconds) * 1_000_000)
    pieces.append(Piece(time: time, flow: flow, dialect: dialect, direction: direction, bytes: message.bytes))
  }

  // MARK: - Into a capture

  func addPackets(to writer: CaptureWriter) throws {
    try writer.add(Interface(name: "lo", linkType: 1))
    for (index, piece) in pieces.enumerated() { try add(piece, index + 1, to: writer) }
  }

  private func add(_ piece: Piece, _ number: Int, to writer: CaptureWriter) throws {
    let frame = [UInt8](repeating: 0, count: 42) + piece.bytes
    try writer.add(
      PacketHeader(number: number, time: piece.time, originalLength: frame.count, linkType: 1), frame.span.bytes)
  }

  /// Adds the messages and findings of a dissector, and returns the sessions.
  func addMessages(to writer: DissectionWriter) throws -> [Session] {
    var tracker = SessionTracker()
    for (index, piece) in pieces.enumerated() { try add(piece, index + 1, &tracker, to: writer) }
    return tracker.sessions
  }

  private func add(_ piece: Piece, _ number: Int, _ tracker: inout SessionTracker, to writer: DissectionWriter) throws {
    var findings: [Finding] = []
    let bytes = piece.bytes.span.bytes
    let kind = MessageDecoder.decode(bytes, as: piece.dialect, findings: &findings)
    let datagram = Datagram(packet: number, time: piece.time, flow: piece.flow)
    let isValid = !findings.contains { $0.severity == .error }
    let session = tracker.receive(
      kind, bytes, in: datagram, going: piece.direction, isValid: isValid, findings: &findings)
    let message = DissectedMessage(
      kind: kind, dialect: piece.dialect, datagram: datagram, direction: piece.direction, session: session, offset: 42,
      isValid: isValid)
    try writer.message(message, bytes, findings)
  }

  /// Packets and messages in one pass.
  func `import`(to path: String, _ info: CaptureInfo) throws {
    let writer = try ImportWriter(creating: path, info, .standard)
    var tracker = SessionTracker()
    try writer.packets.add(Interface(name: "lo", linkType: 1))
    for (index, piece) in pieces.enumerated() {
      try add(piece, index + 1, to: writer.packets)
      try add(piece, index + 1, &tracker, to: writer.dissection)
    }
    let last = pieces.last?.time ?? info.started
    try writer.finish(ended: last, sessions: tracker.sessions)
  }
}
