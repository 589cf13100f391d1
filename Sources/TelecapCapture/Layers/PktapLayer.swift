// PKTAP: macOS's header before packets of any interface, also those of an iPhone's remote interface (`rvictl`) (xnu,
// bsd/net/pktap.h). Its byte order is the capturing machine's; all of those were little-endian.
import TelecapWire

enum PktapLayer {
  /// The lengths of the fixed parts of the two headers, and the flag of the second, which has the same offset in both.
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
    // The type of the content: 1 is a packet, 0 is none.
    if !isSecond, frame.little32(start + 4) != 1 { throw .noData }
    let linkType = isSecond ? frame.little16(start + 6) : UInt16(truncatingIfNeeded: frame.little32(start + 8))
    let before = isSecond ? Int(frame.little16(start + 8)) : Int(clamping: frame.little32(start + 44))
    cursor.at = start + length
    switch linkType {
    case LinkType.ethernet where before == 0 && LinkLayer.isIP(cursor, frame, at: cursor.at):
      try cursor.enter(.rawIP)
      return .either
    case LinkType.dltRaw, LinkType.dltRawOpenBSD, LinkType.rawIP:
      // Some interfaces have extra bytes before raw IP, such as the address family; the header contains their number.
      if before > 0, before <= 64, !LinkLayer.isIP(cursor, frame, at: cursor.at) { cursor.at += before }
      return .either
    default: return try LinkLayer.enter(&cursor, frame, linkType: linkType)
    }
  }

  /// Whether a frame of a private link type starts with the first header.
  static func isLikely(_ frame: RawSpan) -> Bool {
    frame.byteCount >= first && (first...512).contains(Int(clamping: frame.little32(0))) && frame.little32(4) <= 1
  }
}
