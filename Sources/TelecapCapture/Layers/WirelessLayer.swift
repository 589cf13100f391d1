// IEEE 802.11 data frames, and radiotap headers (https://www.radiotap.org).
import TelecapWire

enum WirelessLayer {
  /// Radiotap: version, padding, length, and a bitmap of present fields; all least significant byte first.
  static func radiotap(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> NetworkProtocol {
    let start = cursor.at
    try cursor.need(8, .radiotap)
    let length = Int(frame.little16(start + 2))
    guard length >= 8 else { throw .truncated(.radiotap, needed: 8, had: length) }
    try cursor.need(length, .radiotap)
    try cursor.enter(.radiotap)
    let flags = flags(frame, start, length)
    cursor.at = start + length
    return try wlan(&cursor, frame, isPadded: flags & 0x20 != 0)
  }

  /// The field Flags, which only the time may precede; 0 if it is not present.
  private static func flags(_ frame: RawSpan, _ start: Int, _ length: Int) -> UInt8 {
    let present = frame.little32(start + 4)
    guard present & 2 != 0 else { return 0 }
    // Bit 31 means that another bitmap word follows.
    var at = 8
    while at + 4 <= length, frame.little32(start + at - 4) & 0x8000_0000 != 0 { at += 4 }
    // The time has eight bytes, aligned to eight.
    if present & 1 != 0 { at = (at + 7) & ~7 + 8 }
    return at < length ? frame.byte(start + at) : 0
  }

  /// IEEE 802.11-2020 §9.3.2.1: frame control, duration, three or four addresses, sequence control, QoS, HT.
  ///
  /// - Parameter isPadded: whether the header is padded, so that the data are aligned to four bytes.
  static func wlan(
    _ cursor: inout FrameCursor, _ frame: RawSpan, isPadded: Bool = false
  ) throws(NoPayload) -> NetworkProtocol {
    let start = cursor.at
    try cursor.need(2, .wlan)
    let (kind, flags) = (frame.byte(start), frame.byte(start + 1))
    // Version 0, type 2 (data), and a subtype with data.
    guard kind & 0x0f == 0x08, kind & 0x40 == 0 else { throw .noData }
    let hasQoS = kind & 0x80 != 0
    let hasFourth = flags & 0x03 == 0x03
    let qos = start + (hasFourth ? 30 : 24)
    var length = qos - start
    if hasQoS { length += flags & 0x80 != 0 ? 6 : 2 }
    try cursor.need(length, .wlan)
    if flags & 0x04 != 0 || frame.little16(start + 22) & 0x0f != 0 { throw .encapsulated(.fragmentedWLAN) }
    if hasQoS, frame.byte(qos) & 0x80 != 0 { throw .encapsulated(.aggregatedWLAN) }
    cursor.at = start + (isPadded ? (length + 3) & ~3 : length)
    // A driver that decrypts may leave the flag set.
    if flags & 0x40 != 0, !LogicalLinkLayer.isSNAP(cursor, frame) { throw .encapsulated(.encryptedWLAN) }
    try cursor.enter(.wlan)
    return try LogicalLinkLayer.enter(&cursor, frame, length: nil, else: .noData)
  }
}

/// IEEE 802.2, with SNAP where an EtherType follows (RFC 1042).
enum LogicalLinkLayer {
  /// - Parameters:
  ///   - length: the number of bytes that follow, if the link layer has it; ignored if it contradicts the frame.
  ///   - reason: the error if neither SNAP nor IP follows.
  static func enter(
    _ cursor: inout FrameCursor, _ frame: RawSpan, length: Int?, else reason: NoPayload
  ) throws(NoPayload) -> NetworkProtocol {
    if let length, cursor.at + length <= cursor.end { cursor.end = cursor.at + length }
    let start = cursor.at
    guard start + 3 <= min(cursor.end, cursor.captured) else { throw reason }
    if frame.byte(start) == 6, frame.byte(start + 1) == 6, frame.byte(start + 2) == 3 {
      try cursor.enter(.llc)
      cursor.at += 3
      return .ipv4
    }
    guard isSNAP(cursor, frame) else { throw reason }
    try cursor.need(8, .llc)
    // The organisation is zero, or that of bridged Ethernet (IEEE 802.1H): an EtherType follows.
    let organisation = frame.big32(start + 2) & 0xff_ffff
    guard organisation == 0 || organisation == 0xf8 else { throw reason }
    try cursor.enter(.llc)
    cursor.at += 8
    return try LinkLayer.network(&cursor, frame, etherType: frame.big16(start + 6))
  }

  /// Whether the first three bytes of SNAP are at the cursor.
  static func isSNAP(_ cursor: FrameCursor, _ frame: RawSpan) -> Bool {
    let at = cursor.at
    guard at + 3 <= min(cursor.end, cursor.captured) else { return false }
    return frame.byte(at) == 0xaa && frame.byte(at + 1) == 0xaa && frame.byte(at + 2) == 3
  }
}
