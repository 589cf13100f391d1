// IPv4 and IPv6: each moves the cursor to the transport header and returns its protocol.
import TelecapRecording

/// The result of decoding an IP header.
struct InternetHeader {
  var source: IPAddress
  var destination: IPAddress
  /// The protocol number (https://www.iana.org/assignments/protocol-numbers).
  var transport: UInt8
  /// Whether an IPv6 packet has no length of its own: a jumbogram, or one before segmentation offload.
  var isUnbounded = false
}

enum InternetLayer {
  @inline(__always)
  static func enter(
    _ cursor: inout FrameCursor, _ frame: RawSpan, expecting expected: NetworkProtocol
  ) throws(NoPayload) -> InternetHeader {
    var isIPv6 = expected == .ipv6
    if expected == .either {
      try cursor.need(1, .ipv4)
      isIPv6 = frame.byte(cursor.at) >> 4 == 6
    }
    return isIPv6 ? try ipv6(&cursor, frame) : try ipv4(&cursor, frame)
  }

  /// RFC 791 §3.1.
  @inline(__always)
  private static func ipv4(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> InternetHeader {
    let start = cursor.at
    try cursor.need(20, .ipv4)
    let first = frame.byte(start)
    guard first >> 4 == 4 else { throw .unknownIPVersion(first >> 4) }
    let headerLength = Int(first & 0xf) * 4
    guard headerLength >= 20 else { throw .truncated(.ipv4, needed: 20, had: headerLength) }
    // A total length of 0 is that of a packet before segmentation offload: all of it is captured.
    let total = Int(frame.big16(start + 2))
    if total != 0 {
      guard total >= headerLength else { throw .truncated(.ipv4, needed: headerLength, had: total) }
      try cursor.close(after: total, .ipv4)
    }
    try cursor.need(headerLength, .ipv4)
    cursor.at = start + headerLength
    let header = InternetHeader(
      source: IPAddress(v4: frame.big32(start + 12)), destination: IPAddress(v4: frame.big32(start + 16)),
      transport: frame.byte(start + 9))
    // The offset in units of eight bytes, and the flag for more fragments.
    let field = frame.big16(start + 6) & 0x3fff
    if field != 0 {
      throw fragment(
        cursor, header, offset: Int(field & 0x1fff) * 8, moreFollow: field & 0x2000 != 0,
        identification: UInt32(frame.big16(start + 4)))
    }
    return header
  }

  /// The fragment whose bytes start at the cursor.
  @inline(never)
  private static func fragment(
    _ cursor: FrameCursor, _ header: InternetHeader, offset: Int, moreFollow: Bool, identification: UInt32
  ) -> NoPayload {
    let rest = cursor.rest()
    return .fragment(
      Fragment(
        source: header.source, destination: header.destination, transport: header.transport,
        identification: identification, offset: offset, moreFollow: moreFollow, range: rest.range,
        missing: rest.missing, encapsulations: cursor.encapsulations, depth: cursor.depth))
  }

  /// RFC 8200 §3.
  @inline(__always)
  private static func ipv6(_ cursor: inout FrameCursor, _ frame: RawSpan) throws(NoPayload) -> InternetHeader {
    let start = cursor.at
    try cursor.need(40, .ipv6)
    let version = frame.byte(start) >> 4
    guard version == 6 else { throw .unknownIPVersion(version) }
    let payload = Int(frame.big16(start + 4))
    if payload != 0 { try cursor.close(after: 40 + payload, .ipv6) }
    cursor.at = start + 40
    var header = InternetHeader(
      source: IPAddress(v6High: frame.big64(start + 8), low: frame.big64(start + 16)),
      destination: IPAddress(v6High: frame.big64(start + 24), low: frame.big64(start + 32)),
      transport: frame.byte(start + 6), isUnbounded: payload == 0)
    try skipExtensions(&cursor, frame, &header)
    return header
  }

  /// Skips the extension headers (RFC 8200 §4, RFC 4302 §2). Each has at least eight bytes, so the end of the frame
  /// ends the loop.
  @inline(__always)
  static func skipExtensions(
    _ cursor: inout FrameCursor, _ frame: RawSpan, _ header: inout InternetHeader
  ) throws(NoPayload) {
    while true {
      let length: Int
      switch header.transport {
      case 0, 43, 60:  // hop-by-hop options, routing, destination options
        try cursor.need(8, .ipv6Extension)
        length = Int(frame.byte(cursor.at + 1)) * 8 + 8
      case 51:  // authentication header
        try cursor.need(8, .ipv6Extension)
        length = Int(frame.byte(cursor.at + 1)) * 4 + 8
      case 44:  // fragment; one that is the whole packet is no fragment (RFC 6946)
        try cursor.need(8, .ipv6Extension)
        length = 8
        let field = frame.big16(cursor.at + 2)
        if field & 0xfff9 != 0 {
          let identification = frame.big32(cursor.at + 4)
          header.transport = frame.byte(cursor.at)
          cursor.at += length
          throw fragment(
            cursor, header, offset: Int(field & 0xfff8), moreFollow: field & 1 != 0, identification: identification)
        }
      default:
        return
      }
      try cursor.need(length, .ipv6Extension)
      header.transport = frame.byte(cursor.at)
      cursor.at += length
    }
  }
}
