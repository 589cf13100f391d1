import TelecapCapture
import TelecapRecording
import TelecapWire

/// Frames in which a message is within other headers, and fragments of one.
enum EncapsulatedSeeds {
  /// A POSE's UDP datagram over IPv4.
  private static let packet = ip(udp(to: 50_000, message), 17)
  private static let ethernet = [UInt8](repeating: 2, count: 12) + [8, 0] + packet
  private static let snap: [UInt8] = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0] + packet
  private static let wlan: [UInt8] = [8, 1, 0, 0] + [UInt8](repeating: 2, count: 18) + [0, 0] + snap

  static let frames: [(type: UInt16, frame: [UInt8])] = [
    (LinkType.pktap, pktap(1, ethernet)), (LinkType.user2, pktap(12, packet)),
    (LinkType.ethernet, packet), (LinkType.ethernet, tagged([0, UInt8(snap.count)], snap)),
    (LinkType.wlan, wlan), (LinkType.radiotap, [0, 0, 9, 0, 2, 0, 0, 0, 0] + wlan),
    (LinkType.ppp, [0xff, 3, 0, 0x21] + packet), (LinkType.ciscoHDLC, [0x0f, 0, 8, 0] + packet),
    (LinkType.pppDaemon, [1, 3, 0, 0x21] + packet),
    (LinkType.ethernet, tagged([0x88, 0x64], [0x11, 0, 0, 1, 0, UInt8(packet.count + 2), 0, 0x21] + packet)),
    (LinkType.mpls, [0, 1, 0, 64, 0, 1, 1, 64] + packet),
    (LinkType.ethernet, tagged([0x88, 0xe7], [0, 0, 0, 7] + ethernet)),
    (LinkType.rawIP, ip([0x30, 0, 8, 0] + [UInt8](repeating: 1, count: 8) + packet, 47)),
    (LinkType.rawIP, ip(packet, 4)), (LinkType.rawIP, ip([0x30, 0] + ethernet, 97)),
    (LinkType.rawIP, ip([17, 4] + [UInt8](repeating: 0, count: 22) + packet.dropFirst(20), 51)),
    (LinkType.rawIP, ip(udp(to: 4_789, [8, 0, 0, 0, 0, 0, 1, 0] + ethernet), 17)),
    (LinkType.rawIP, ip(udp(to: 6_081, [1, 0, 0x65, 0x58, 0, 0, 1, 0, 9, 9, 9, 9] + ethernet), 17)),
  ]

  /// The datagram in two fragments, the second of which comes twice, and over GRE.
  static let fragments: [(type: UInt16, frame: [UInt8])] = {
    let content = Array(packet.dropFirst(20))
    let pieces = [ip(Array(content[..<32]), 17, fragment: 0x2000), ip(Array(content[32...]), 17, fragment: 4)]
    return [pieces[0], pieces[1], pieces[1], pieces[0]].map { (LinkType.rawIP, $0) }
      + pieces.map { (LinkType.rawIP, ip([0, 0, 8, 0] + $0, 47)) }
  }()

  private static let message = Message.right(Known.protocols[0].messages[0]).bytes + [UInt8](repeating: 0, count: 40)

  private static func tagged(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 2, count: 12) + type + content
  }

  private static func udp(to port: UInt16, _ payload: [UInt8]) -> [UInt8] {
    big(40_000) + big(port) + big(UInt16(8 + payload.count)) + [0, 0] + payload
  }

  private static func ip(_ content: [UInt8], _ transport: UInt8, fragment: UInt16 = 0) -> [UInt8] {
    [0x45, 0] + big(UInt16(20 + content.count)) + [0, 7] + big(fragment) + [
      64, transport, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
    ]
      + content
  }

  private static func pktap(_ dlt: UInt8, _ frame: [UInt8]) -> [UInt8] {
    [108, 0, 0, 0, 1, 0, 0, 0, dlt, 0, 0, 0] + [UInt8](repeating: 0, count: 96) + frame
  }

  private static func big(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
}
