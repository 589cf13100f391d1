// Link layers, the first layer of a frame. Each moves the cursor to the inner packet and returns its protocol.
import TelecapWire

/// The protocol of the packet inside a link layer.
enum NetworkProtocol {
  case ipv4
  case ipv6
  /// The version is in the packet's first four bits.
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
    default: return try other(&cursor, frame, linkType: linkType)
    }
  }

  /// The rare link types, in a separate function to keep the frequent path small.
  @inline(never)
  private static func other(
    _ cursor: inout FrameCursor, _ frame: RawSpan, linkType: UInt16
  ) throws(NoPayload) -> NetworkProtocol {
    switch linkType {
    case LinkType.pktap: return try PktapLayer.enter(&cursor, frame)
    case LinkType.user2 where PktapLayer.isLikely(frame): return try PktapLayer.enter(&cursor, frame)
    case LinkType.radiotap: return try WirelessLayer.radiotap(&cursor, frame)
    case LinkType.wlan: return try WirelessLayer.wlan(&cursor, frame)
    case LinkType.ppp, LinkType.pppHDLC, LinkType.ciscoHDLC: return try PointToPointLayer.hdlc(&cursor, frame)
    case LinkType.pppDaemon, LinkType.pppWithDirection: return try PointToPointLayer.directed(&cursor, frame)
    case LinkType.pppEther: return try PointToPointLayer.pppoe(&cursor, frame)
    case LinkType.mpls: return try LabelLayer.mpls(&cursor, frame)
    default: throw LinkType.isBluetooth(linkType) ? .bluetooth : .unknownLinkType(linkType)
    }
  }

  /// IEEE 802.3 §3.1.1 with an EtherType: destination, source, type.
  @inline(__always)
  static func ethernet(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(14, .ethernet)
    let start = cursor.at
    cursor.at = start + 14
    return try network(&cursor, frame, etherType: frame.big16(start + 12), ethernetAt: start)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html: 16 bytes, the last two the protocol.
  private static func cooked(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(16, .linuxCooked)
    let type = frame.big16(cursor.at + 14)
    cursor.at += 16
    return try network(&cursor, frame, etherType: type)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html: 20 bytes, the first two the protocol.
  private static func cooked2(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(20, .linuxCooked2)
    let type = frame.big16(cursor.at)
    cursor.at += 20
    return try network(&cursor, frame, etherType: type)
  }

  /// https://www.tcpdump.org/linktypes/LINKTYPE_NULL.html: four bytes of address family. It is 2 for IPv4 on all
  /// systems; IPv6 is 10 on Linux, 24, 28 or 30 on the BSDs and macOS. Its byte order is the capturing machine's, so
  /// accept both.
  private static func loopback(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(4, .loopback)
    let big = frame.big32(cursor.at)
    let family = big < 0x10000 ? big : big.byteSwapped
    cursor.at += 4
    switch family {
    case 2: return .ipv4
    case 10, 24, 28, 30: return .ipv6
    default: throw .notIP(etherType: UInt16(truncatingIfNeeded: family))
    }
  }

  /// Skips any number of VLAN tags (IEEE 802.1Q §9.6) and returns the protocol of the EtherType after them.
  ///
  /// - Parameter start: the offset of the Ethernet header; nil if the type is from another header.
  @inline(__always)
  static func network(
    _ cursor: inout FrameCursor, _ frame: RawSpan, etherType: UInt16, ethernetAt start: Int? = nil
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
      default: return try otherNetwork(&cursor, frame, etherType: type, ethernetAt: start)
      }
    }
  }

  /// Handles EtherTypes other than IP and VLAN, some of which carry IP.
  @inline(never)
  private static func otherNetwork(
    _ cursor: inout FrameCursor, _ frame: RawSpan, etherType type: UInt16, ethernetAt start: Int?
  ) throws(NoPayload) -> NetworkProtocol {
    if let start, isIP(cursor, frame, at: start) {
      try cursor.enter(.rawIP)
      cursor.at = start
      return .either
    }
    switch type {
    // A length in Ethernet; in Linux's headers 4 means that IEEE 802.2 follows.
    case ..<0x600:
      let length = start == nil ? nil : Int(type)
      return try LogicalLinkLayer.enter(&cursor, frame, length: length, else: .notIP(etherType: type))
    case 0x8864: return try PointToPointLayer.pppoe(&cursor, frame)
    case 0x8847, 0x8848: return try LabelLayer.mpls(&cursor, frame)
    case 0x88e7: return try LabelLayer.providerBackbone(&cursor, frame)
    // Ethernet and PPP, by their numbers in GRE and Geneve (RFC 1701, RFC 2637). Reject them in an Ethernet header: a
    // frame of repeated headers would nest without limit.
    case 0x6558 where start == nil: return try ethernet(&cursor, frame)
    case 0x880b: return try PointToPointLayer.ppp(&cursor, frame)
    default: throw .notIP(etherType: type)
    }
  }

  /// Whether there is a whole IP packet in place of an Ethernet header: `rvictl` gives an iPhone's interfaces the link
  /// type of Ethernet, but cellular ones have raw IP (https://github.com/seladb/PcapPlusPlus/issues/160). Its length
  /// must be the frame's.
  static func isIP(_ cursor: FrameCursor, _ frame: RawSpan, at start: Int) -> Bool {
    guard cursor.captured - start >= 20 else { return false }
    let length = cursor.end - start
    switch frame.byte(start) {
    case 0x45...0x4f: return Int(frame.big16(start + 2)) == length
    case 0x60...0x6f: return 40 + Int(frame.big16(start + 4)) == length
    default: return false
    }
  }
}
