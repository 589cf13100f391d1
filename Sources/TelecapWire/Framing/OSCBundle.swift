import TelecapRecording

/// A bundle of OSC: its messages are carried out together, at a time (OpenSound Control 1.0, OSC Bundles). It begins with
/// `#bundle` and a time tag of 8 bytes. Elements follow, each after its size in 4 bytes, big-endian: messages, or bundles.
enum OSCBundle {
  /// The first bytes of a bundle.
  static let mark: [UInt8] = Array("#bundle\u{0}".utf8)
  /// The bytes before the first element.
  static let header = 16
  /// The bundles in one another that are read. A datagram of 64 kB could have 3,000.
  private static let deepest = 16

  /// Passes on the ranges of the messages of a packet: all of it where it is no bundle. An element that is not all there, and
  /// what is no element, is passed on as the last one of its bundle.
  static func eachMessage(of packet: RawSpan, _ body: (Range<Int>) throws -> Void) rethrows {
    try eachMessage(of: packet, 0..<packet.byteCount, depth: 0, body)
  }

  private static func eachMessage(
    of packet: RawSpan, _ range: Range<Int>, depth: Int, _ body: (Range<Int>) throws -> Void
  ) rethrows {
    guard depth < deepest, range.count >= header, packet.extracting(range).begins(with: mark) else {
      return try body(range)
    }
    var start = range.lowerBound + header
    while start < range.upperBound {
      guard let size = packet.integer(at: start, count: 4, .big), size > 0,
        Int(clamping: size) <= range.upperBound - start - 4
      else { return try body(start..<range.upperBound) }
      let element = start + 4..<start + 4 + Int(size)
      try eachMessage(of: packet, element, depth: depth + 1, body)
      start = element.upperBound
    }
  }

  /// A packet with another message in place of one, and with the sizes of the elements that contain it.
  static func replacing(_ message: Range<Int>, of packet: [UInt8], with other: [UInt8]) -> [UInt8] {
    let sizes = sizes(around: message, in: packet.span.bytes)
    var changed = packet
    changed.replaceSubrange(message, with: other)
    for place in sizes {
      let size = packet.span.bytes.integer(at: place, count: 4, .big) ?? 0
      put(size &+ UInt64(other.count) &- UInt64(message.count), at: place, in: &changed)
    }
    return changed
  }

  /// Where the sizes of the elements are that contain a message, the outermost first.
  private static func sizes(around message: Range<Int>, in packet: RawSpan) -> [Int] {
    var (sizes, bundle): ([Int], Range<Int>) = ([], 0..<packet.byteCount)
    var start = header
    while bundle != message, packet.extracting(bundle).begins(with: mark), start < message.lowerBound,
      let size = packet.integer(at: start, count: 4, .big)
    {
      let element = start + 4..<start + 4 + Int(clamping: size)
      if element.contains(message.lowerBound) {
        sizes.append(start)
        (bundle, start) = (element, element.lowerBound + header)
      } else {
        start = element.upperBound
      }
    }
    return sizes
  }

  private static func put(_ size: UInt64, at place: Int, in packet: inout [UInt8]) {
    for index in 0..<4 { packet[place + index] = UInt8(truncatingIfNeeded: size >> UInt64(24 - 8 * index)) }
  }

  /// A bundle of these messages, for at once.
  static func joined(_ messages: [[UInt8]]) -> [UInt8] {
    let immediately: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    return messages.reduce(into: mark + immediately) { bundle, message in
      bundle += [0, 0, 0, 0]
      put(UInt64(message.count), at: bundle.count - 4, in: &bundle)
      bundle += message
    }
  }
}
