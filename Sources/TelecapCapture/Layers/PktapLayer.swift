// PKTAP: what macOS puts before packets of any interface, those of an iPhone's remote interface (`rvictl`) among them
// (xnu, bsd/net/pktap.h). Its numbers are the capturing machine's, and those were all little-endian.
import TelecapWire

enum PktapLayer {
  /// The lengths of the two headers' fixed parts, and the flag of the second, which is at the same place in both.
  private static let first = 108
  private static let second = 40
  private static let isSecond: UInt32 = 0x0008_0000
  private static let flagsAt = 36

  static func enter(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    let start = cursor.at
    try cursor.need(second, .pktap)
    let isSecond = frame.little32(start + flagsAt) & isSecond != 0
    let length = isSecond ? Int(frame.byte(start)) : Int(clamping: frame.little32(start))
    guard length >= (isSecond ? second : first) else {
      throw .truncated(.pktap, needed: isSecond ? second : first, had: length)
    }
    try cursor.need(length, .pktap)
    try cursor.enter(.pktap)
    // The type of what follows: 1 is a packet, 0 is nothing.
    if !isSecond, frame.little32(start + 4) != 1 { throw .noData }
    let linkType = isSecond ? frame.little16(start + 6) : UInt16(truncatingIfNeeded: frame.little32(start + 8))
    let before = isSecond ? Int(frame.little16(start + 8)) : Int(clamping: frame.little32(start + 44))
    cursor.at = start + length
    switch linkType {
    case LinkType.ethernet where before == 0 && LinkLayer.isIP(cursor, frame, at: cursor.at):
      try cursor.enter(.rawIP)
      return .either
    case LinkType.dltRaw, LinkType.dltRawOpenBSD, LinkType.rawIP:
      // Some interfaces have bytes of their own before raw IP, such as the address family, and the header says how many.
      if before > 0, before <= 64, !LinkLayer.isIP(cursor, frame, at: cursor.at) { cursor.at += before }
      return .either
    default: return try LinkLayer.enter(&cursor, frame, linkType: linkType)
    }
  }

  /// Whether a frame of a link type for private use begins with the first header.
  static func isLikely(_ frame: RawSpan) -> Bool {
    frame.byteCount >= first && (first...512).contains(Int(clamping: frame.little32(0))) && frame.little32(4) <= 1
  }
}
