// PPP (RFC 1661), over HDLC (RFC 1662) and Ethernet (RFC 2516), and Cisco's HDLC.
import TelecapWire

enum PointToPointLayer {
  /// PPP with or without its address and control, or Cisco's HDLC: address (unicast or multicast), control, EtherType.
  static func hdlc(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(1, .ppp)
    let address = frame.byte(cursor.at)
    guard address == 0x0f || address == 0x8f else { return try ppp(&cursor, frame) }
    try cursor.need(4, .ppp)
    try cursor.enter(.ppp)
    cursor.at += 4
    return try LinkLayer.network(&cursor, frame, etherType: frame.big16(cursor.at - 2))
  }

  /// A direction byte, then PPP. If the byte replaced the address, the next one is the control, 03.
  static func directed(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(2, .ppp)
    cursor.at += frame.byte(cursor.at + 1) == 3 ? 2 : 1
    return try ppp(&cursor, frame)
  }

  /// PPP alone.
  static func ppp(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(2, .ppp)
    try cursor.enter(.ppp)
    return try content(&cursor, frame)
  }

  /// PPPoE, session stage: version and type, code, session, length (RFC 2516 §4).
  static func pppoe(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(6, .pppoe)
    guard frame.big16(cursor.at) == 0x1100 else { throw .notIP(etherType: 0x8864) }
    try cursor.enter(.pppoe)
    let length = Int(frame.big16(cursor.at + 4))
    cursor.at += 6
    try cursor.close(after: length, .pppoe)
    return try content(&cursor, frame)
  }

  /// Address and control, which may be omitted, and the protocol, whose first byte may be omitted if it is 0 (RFC 1661
  /// §6.5 and 6.6): only the last byte of a protocol is odd.
  private static func content(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    try cursor.need(2, .ppp)
    if frame.big16(cursor.at) == 0xff03 { cursor.at += 2 }
    try cursor.need(1, .ppp)
    var number = UInt16(frame.byte(cursor.at))
    if number & 1 == 0 {
      try cursor.need(2, .ppp)
      number = frame.big16(cursor.at)
      cursor.at += 1
    }
    cursor.at += 1
    switch number {
    case 0x21: return .ipv4
    case 0x57: return .ipv6
    case 0x281, 0x283: return try LabelLayer.mpls(&cursor, frame)
    default: throw .otherPPP(number)
    }
  }
}
