import TelecapRecording

/// An IP datagram with missing fragments.
struct IncompleteDatagram: Sendable {
  /// The key that all fragments of one datagram share (RFC 791 §3.2, RFC 8200 §4.5). It includes the interface, because
  /// a capture of several may contain each fragment more than once.
  struct Key: Hashable {
    let source: IPAddress
    let destination: IPAddress
    /// The IPv4 protocol number; always 0 for IPv6, whose key does not contain it.
    let transport: UInt8
    let identification: UInt32
    let interface: Int

    init(_ fragment: Fragment, interface: Int) {
      (source, destination) = (fragment.source, fragment.destination)
      transport = fragment.source.family == .v4 ? fragment.transport : 0
      (identification, self.interface) = (fragment.identification, interface)
    }
  }

  /// The result of adding a fragment.
  enum Outcome: Hashable {
    /// Other fragments are missing, or it is a duplicate.
    case waiting
    /// It was the last missing one; the value is the fragment at offset 0.
    case whole(Fragment)
    /// It contradicts another one, so all fragments of the datagram are discarded (RFC 5722 §4).
    case overlap
  }

  let key: Key
  /// The packet of the first received fragment.
  private(set) var first: PacketHeader
  /// The fragment at offset 0, if it was received.
  private var head: Fragment?
  /// The bytes of the complete datagram with the same key before it, while every fragment is equal to a part of these.
  private var former: [UInt8]?
  /// The bytes after the IP header, up to the end of the last fragment; at most 65,535.
  private(set) var bytes: [UInt8] = []
  /// The received ranges, in order and without overlaps.
  private var ranges: [Range<Int>] = []
  /// The datagram's length, if its last fragment was received.
  private(set) var length: Int?
  /// Whether a fragment overlapped another: later ones are discarded too.
  private(set) var isRejected = false

  /// - Parameter former: the bytes of the complete datagram with the same key before it; nil if there is none.
  init(_ key: Key, first: PacketHeader, former: [UInt8]? = nil) {
    (self.key, self.first, self.former) = (key, first, former)
  }

  /// Whether every fragment is a copy of one of a complete datagram.
  var isRepeat: Bool { former != nil }

  /// The number of received bytes.
  var received: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Adds the bytes of a fragment, which end at 65,535 at most.
  mutating func add(_ fragment: Fragment, _ new: RawSpan, _ header: PacketHeader) -> Outcome {
    if isRejected { return .waiting }
    let range = fragment.offset..<fragment.offset + new.byteCount
    // The sender reuses the identification for another datagram. Discard the copies before: bytes of two datagrams are
    // never mixed, even if they are equal.
    if let former, !IncompleteDatagram.isPart(new, of: former, at: range, isLast: !fragment.moreFollow) {
      self = IncompleteDatagram(key, first: header)
    }
    if range.lowerBound == 0 { head = fragment }
    if !accept(range, isLast: !fragment.moreFollow, new) {
      self = IncompleteDatagram(key, first: first)
      isRejected = true
      return .overlap
    }
    guard let head, ranges.count == 1, ranges[0] == 0..<(length ?? 0) else { return .waiting }
    return .whole(head)
  }

  private static func isPart(_ new: RawSpan, of bytes: [UInt8], at range: Range<Int>, isLast: Bool) -> Bool {
    guard range.upperBound <= bytes.count, !isLast || range.upperBound == bytes.count else { return false }
    return new.withUnsafeBytes { bytes[range].elementsEqual($0) }
  }

  /// False if it overlaps another one, or the end.
  private mutating func accept(_ range: Range<Int>, isLast: Bool, _ new: RawSpan) -> Bool {
    let reached = ranges.last?.upperBound ?? 0
    if let length { guard range.upperBound <= length, !isLast || range.upperBound == length else { return false } }
    guard !isLast || reached <= range.upperBound else { return false }
    let index = firstIndex(endingAfter: range.lowerBound)
    if index < ranges.count, ranges[index].overlaps(range) {
      // An identical fragment is a duplicate of the network or of the capture.
      guard ranges[index].contains(range), isEqual(new, at: range.lowerBound) else { return false }
    } else {
      insert(range, at: index)
      copy(new, to: range)
    }
    if isLast { length = range.upperBound }
    return true
  }

  /// The index of the first range that ends after this offset.
  private func firstIndex(endingAfter place: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Inserts a range before that with this index, merged with adjacent ones.
  private mutating func insert(_ range: Range<Int>, at index: Int) {
    let touchesNext = index < ranges.count && ranges[index].lowerBound == range.upperBound
    let touchesLast = index > 0 && ranges[index - 1].upperBound == range.lowerBound
    switch (touchesLast, touchesNext) {
    case (false, false): ranges.insert(range, at: index)
    case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound..<range.upperBound
    case (false, true): ranges[index] = range.lowerBound..<ranges[index].upperBound
    case (true, true):
      ranges[index - 1] = ranges[index - 1].lowerBound..<ranges[index].upperBound
      ranges.remove(at: index)
    }
  }

  private func isEqual(_ new: RawSpan, at offset: Int) -> Bool {
    new.withUnsafeBytes { bytes[offset..<offset + $0.count].elementsEqual($0) }
  }

  private mutating func copy(_ new: RawSpan, to range: Range<Int>) {
    if bytes.count < range.upperBound {
      bytes.append(contentsOf: repeatElement(0, count: range.upperBound - bytes.count))
    }
    new.withUnsafeBytes { bytes.replaceSubrange(range, with: $0) }
  }
}
