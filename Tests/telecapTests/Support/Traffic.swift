import TelecapCapture
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire

/// Frames with their times, and the pcap and pcapng files that hold them.
struct Traffic {
  static let phone = Endpoint(IPAddress(v4: 0xc000_020a), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)
  static let uplink = Flow(.udp, from: phone, to: host)
  /// 2023-11-14 22:13:20 UTC and some ns.
  static let start: Int64 = 1_700_000_000_123_456_789

  var packets: [(time: Int64, frame: [UInt8])] = []
  private var builder = FrameBuilder(link: .ethernet)

  /// Adds a payload, so many milliseconds after the start.
  mutating func add(_ bytes: [UInt8], at milliseconds: Int, _ flow: Flow = Traffic.uplink) throws {
    var frame: [UInt8] = []
    try builder.append(bytes.span.bytes, flow, to: &frame)
    packets.append((Traffic.start + Int64(milliseconds) * 1_000_000, frame))
  }

  /// A HELLO, its ACK, a HAPTIC, and three poses of which the second came late.
  static func session() throws -> Traffic {
    var traffic = Traffic()
    try traffic.add(Bytes.hello, at: 0)
    try traffic.add(Bytes.ack, at: 2, uplink.reversed)
    try traffic.add(Bytes.haptic, at: 20, uplink.reversed)
    for (index, seq) in [7, 9, 8].enumerated() { try traffic.add(Bytes.pose(UInt16(seq)), at: 30 + index * 17) }
    return traffic
  }

  /// A connection that sends these bytes and closes.
  static func stream(_ bytes: [UInt8], _ flow: Flow) throws -> Traffic { try stream(segments: [bytes], flow) }

  /// The same, with these payloads of its segments.
  static func stream(segments: [[UInt8]], _ flow: Flow) throws -> Traffic {
    typealias Step = (inout FrameBuilder, inout [UInt8]) throws -> Void
    var traffic = Traffic()
    var frame: [UInt8] = []
    var steps: [Step] = [
      { try $0.appendOpening(flow, to: &$1) }, { try $0.appendOpening(flow.reversed, to: &$1) },
    ]
    steps += segments.map { bytes -> Step in { try $0.append(bytes.span.bytes, flow, to: &$1) } }
    steps.append { try $0.appendClosing(flow, to: &$1) }
    for step in steps {
      frame.removeAll()
      try step(&traffic.builder, &frame)
      traffic.packets.append((Traffic.start, frame))
    }
    return traffic
  }

  /// The file that libpcap's format is in this byte order and resolution (draft-ietf-opsawg-pcap).
  func pcap(isBig: Bool = false, nanoseconds: Bool = true) -> [UInt8] {
    func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { Array($0) }
    }
    let magic: UInt32 = nanoseconds ? 0xa1b2_3c4d : 0xa1b2_c3d4
    var bytes = number(magic) + number(UInt16(2)) + number(UInt16(4)) + number(UInt64(0))
    bytes += number(UInt32(262_144)) + number(UInt32(1))
    for (time, frame) in packets {
      let fraction = time % 1_000_000_000
      bytes += number(UInt32(time / 1_000_000_000)) + number(UInt32(nanoseconds ? fraction : fraction / 1_000))
      bytes += number(UInt32(frame.count)) + number(UInt32(frame.count)) + frame
    }
    return bytes
  }

  /// A pcapng file, by our own writer.
  func writePcapng(to path: String) throws {
    var writer = try PcapngWriter(path: path, tool: "test")
    let interface = try writer.add(Interface(name: "eth0", linkType: 1))
    for (index, packet) in packets.enumerated() {
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: packet.time), interface: interface,
        originalLength: packet.frame.count, linkType: 1)
      try writer.write(header, packet.frame.span.bytes)
    }
    try writer.finish()
  }
}
