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

  /// Where the first message of a packet is; all of it where it has none.
  static func firstMessage(of packet: RawSpan) -> Range<Int> {
    var first = 0..<packet.byteCount
    for _ in 0..<deepest {
      guard first.count > header, packet.extracting(first).begins(with: mark) else { break }
      let start = first.lowerBound + header
      guard let element = element(of: packet, at: start, in: first) else { return start..<first.upperBound }
      first = element
    }
    return first
  }

  /// Where the element is whose size is at `start`; nil where it is not all there.
  private static func element(of packet: RawSpan, at start: Int, in bundle: Range<Int>) -> Range<Int>? {
    guard let size = packet.integer(at: start, count: 4, .big), size > 0,
      Int(clamping: size) <= bundle.upperBound - start - 4
    else { return nil }
    return start + 4..<start + 4 + Int(size)
  }

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
      guard let element = element(of: packet, at: start, in: range) else { return try body(start..<range.upperBound) }
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
    while bundle != message, packet.extracting(bundle).begins(with: mark),
      let element = element(of: packet, at: start, in: bundle)
    {
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
