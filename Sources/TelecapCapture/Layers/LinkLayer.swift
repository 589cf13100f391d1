// Link layers: what a frame begins with. Each moves the cursor to the packet inside and says what that should be.

/// What a link layer says about the packet inside.
enum NetworkProtocol {
  case ipv4
  case ipv6
  /// It does not say: the packet's first four bits do.
  case either
}

enum LinkLayer {
  @inline(__always)
  static func enter(_ cursor: inout FrameCursor, _ frame: RawSpan, linkType: UInt16) throws(NoPayload)
    -> NetworkProtocol
  {
    switch linkType {
    case LinkType.ethernet: return try ethernet(&cursor, frame)
    case LinkType.linuxCooked: return try cooked(&cursor, frame)
    case LinkType.linuxCooked2: return try cooked2(&cursor, frame)
    case LinkType.null, LinkType.loop: return try loopback(&cursor, frame)
    case LinkType.rawIP, LinkType.dltRaw, LinkType.dltRawOpenBSD: return .either
    case LinkType.ipv4: return .ipv4
    case LinkType.ipv6: return .ipv6
    default: throw LinkType.isBluetooth(linkType) ? .bluetooth : .unknownLinkType(linkType)
    }
  }

  /// IEEE 802.3 §3.1.1 with an EtherType: destination, source, type.
  @inline(__always)
  private static func ethernet(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(14, .ethernet)
    let type = frame.big16(12)
    cursor.at = 14
    return try network(&cursor, frame, etherType: type)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html: 16 bytes, the last two the protocol.
  private static func cooked(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(16, .linuxCooked)
    let type = frame.big16(14)
    cursor.at = 16
    return try network(&cursor, frame, etherType: type)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html: 20 bytes, the first two the protocol.
  private static func cooked2(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(20, .linuxCooked2)
    let type = frame.big16(0)
    cursor.at = 20
    return try network(&cursor, frame, etherType: type)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_NULL.html: four bytes of address family. It is 2 for IPv4 everywhere;
  /// IPv6 is 10 on Linux, 24, 28 or 30 on the BSDs and macOS. Its byte order is the capturing machine's, so we take both.
  private static func loopback(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(4, .loopback)
    let big = frame.big32(0)
    let family = big < 0x10000 ? big : big.byteSwapped
    cursor.at = 4
    switch family {
    case 2: return .ipv4
    case 10, 24, 28, 30: return .ipv6
    default: throw .notIP(etherType: UInt16(truncatingIfNeeded: family))
    }
  }

  /// Walks the VLAN tags, however many (IEEE 802.1Q §9.6), to an EtherType that is none.
  @inline(__always)
  private static func network(
    _ cursor: inout FrameCursor, _ frame: RawSpan, etherType: UInt16
  ) throws(NoPayload) -> NetworkProtocol {
    var type = etherType
    while true {
      switch type {
      case 0x0800: return .ipv4
      case 0x86dd: return .ipv6
      case 0x8100, 0x88a8, 0x9100:
        try cursor.need(4, .vlan)
        type = frame.big16(cursor.at + 2)
        cursor.at += 4
      default: throw .notIP(etherType: type)
      }
    }
  }
}
