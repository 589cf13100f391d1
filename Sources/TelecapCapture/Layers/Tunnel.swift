// Tunnels over IP. Each function moves the cursor to the inner packet and returns its protocol.
import TelecapWire

enum Tunnel {
  /// Decapsulates the packet in `internet` and returns its IP header.
  @inline(never)
  static func enter(
    _ cursor: inout FrameCursor, _ frame: RawSpan, _ internet: InternetHeader
  ) throws(NoPayload) -> InternetHeader {
    let network: NetworkProtocol
    switch internet.transport {
    case 51: return try authentication(&cursor, frame, internet)
    case 4: network = .ipv4
    case 41: network = .ipv6
    case 47: network = try gre(&cursor, frame)
    case 97: network = try etherIP(&cursor, frame)
    default: throw .otherProtocol(internet.transport)
    }
    if internet.transport == 4 || internet.transport == 41 { try cursor.enter(.ipInIP) }
    return try InternetLayer.enter(&cursor, frame, expecting: network)
  }

  /// The authentication header in IPv4: next header, and length in words minus two (RFC 4302 §2). Its payload is that
  /// of IP.
  private static func authentication(
    _ cursor: inout FrameCursor, _ frame: RawSpan, _ internet: InternetHeader
  ) throws(NoPayload) -> InternetHeader {
    try cursor.need(8, .authentication)
    let length = Int(frame.byte(cursor.at + 1)) * 4 + 8
    try cursor.need(length, .authentication)
    var inner = internet
    inner.transport = frame.byte(cursor.at)
    cursor.at += length
    return inner
  }

  /// Flags and version, an EtherType, then the fields that the flags name: a checksum, a key, a sequence number (RFC
  /// 2784, RFC 2890); in version 1 also an acknowledgement (RFC 2637 §4.1).
  private static func gre(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(4, .gre)
    let flags = frame.big16(cursor.at)
    let type = frame.big16(cursor.at + 2)
    let version = flags & 7
    // Reject a list of routes (RFC 1701), which RFC 2784 requires to discard, and unknown versions.
    guard flags & 0x4000 == 0, version < 2 else { throw .encapsulated(.gre) }
    var length = 4
    if flags & 0x8000 != 0 { length += 4 }
    if flags & 0x2000 != 0 { length += 4 }
    if flags & 0x1000 != 0 { length += 4 }
    if version == 1, flags & 0x0080 != 0 { length += 4 }
    try cursor.need(length, .gre)
    try cursor.enter(.gre)
    cursor.at += length
    return try LinkLayer.network(&cursor, frame, etherType: type)
  }

  /// A version, 3, and Ethernet (RFC 3378 §3).
  private static func etherIP(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(2, .etherIP)
    guard frame.byte(cursor.at) >> 4 == 3 else { throw .otherProtocol(97) }
    try cursor.enter(.etherIP)
    cursor.at += 2
    return try LinkLayer.ethernet(&cursor, frame)
  }

  // MARK: Over UDP

  /// The protocol inside a datagram to a tunnel's port; nil if the bytes do not have the tunnel's header.
  static func enter(
    _ cursor: inout FrameCursor, _ frame: RawSpan, udpPort: UInt16
  ) throws(NoPayload) -> NetworkProtocol? {
    guard cursor.at + 8 <= cursor.captured else { return nil }
    switch Encapsulation(udpPort: udpPort) {
    case .vxlan: return try vxlan(&cursor, frame)
    case .geneve: return try geneve(&cursor, frame)
    default: return nil
    }
  }

  /// Flags, of which one marks the VNI as valid, the VNI, and Ethernet (RFC 7348 §5). The topmost flag belongs to the
  /// extension for group policies.
  private static func vxlan(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol? {
    guard frame.byte(cursor.at) & 0x7f == 0x08 else { return nil }
    try cursor.enter(.vxlan)
    cursor.at += 8
    return try LinkLayer.ethernet(&cursor, frame)
  }

  /// Version 0 and the length of the options in words, flags, an EtherType, the VNI, options (RFC 8926 §3.4).
  private static func geneve(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol? {
    let first = frame.byte(cursor.at)
    let length = 8 + Int(first & 0x3f) * 4
    let type = frame.big16(cursor.at + 2)
    guard first >> 6 == 0, cursor.at + length <= cursor.captured, [0x6558, 0x0800, 0x86dd, 0x8847].contains(type) else {
      return nil
    }
    try cursor.enter(.geneve)
    cursor.at += length
    return try LinkLayer.network(&cursor, frame, etherType: type)
  }
}
