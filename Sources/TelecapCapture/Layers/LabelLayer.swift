// Labels before a packet: MPLS (RFC 3032), and the tag of a provider's backbone (IEEE 802.1ah).
import TelecapWire

enum LabelLayer {
  /// Skips the stack of labels. No field identifies the packet after it: IP by its first four bits, otherwise Ethernet,
  /// possibly after a control word (RFC 4385, RFC 4448 §4.6).
  static func mpls(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.enter(.mpls)
    var isBottom = false
    while !isBottom {
      try cursor.need(4, .mpls)
      isBottom = frame.byte(cursor.at + 2) & 1 != 0
      cursor.at += 4
    }
    try cursor.need(1, .mpls)
    switch frame.byte(cursor.at) >> 4 {
    case 4, 6: return .either
    case 0:
      try cursor.need(4, .mpls)
      if frame.big16(cursor.at) == 0 { cursor.at += 4 }
    default: break
    }
    return try LinkLayer.ethernet(&cursor, frame)
  }

  /// Skips four bytes of priority and service before the customer's Ethernet frame.
  static func providerBackbone(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(4, .providerBackbone)
    try cursor.enter(.providerBackbone)
    cursor.at += 4
    return try LinkLayer.ethernet(&cursor, frame)
  }
}
