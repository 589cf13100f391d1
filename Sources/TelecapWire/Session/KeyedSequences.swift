/// The sequence numbers of the messages of one kind: one stream where they have no key, else one for each key.
struct KeyedSequences: Hashable, Sendable {
  /// So many streams are followed: keys that come from noise must not make memory grow.
  static let most = 256
  /// The width of the numbers, in bits.
  private let bits: Int
  /// How many fields a key has.
  private let width: Int
  /// The fields of the streams' keys, one key after the other.
  private var keys: [UInt64] = []
  private var streams: [SequenceTracker] = []

  /// Nothing seen yet.
  /// - Parameters:
  ///   - bits: the width of the numbers.
  ///   - width: how many fields a key has; 0 where there is one stream.
  init(bits: Int, keyOf width: Int) { (self.bits, self.width) = (bits, width) }

  /// Takes the next number of the stream whose key has these fields: what it is, and the newest before it; nil where as many
  /// streams are followed as may be, and this is none of them.
  @inline(__always)
  mutating func receive(
    _ number: UInt64, key field: (Int) -> UInt64
  ) -> (arrival: SequenceTracker.Arrival, newest: UInt64)? {
    guard let place = place(of: field) else { return nil }
    let newest = streams[place].newest ?? number
    return (streams[place].receive(number), newest)
  }

  /// Numbers that never came, of all streams.
  var missing: Int {
    streams.reduce(0) { sum, stream in
      let (more, isTooLarge) = sum.addingReportingOverflow(stream.missing)
      return isTooLarge ? .max : more
    }
  }

  /// The place of a key's stream, which begins where there is none.
  @inline(__always)
  private mutating func place(of field: (Int) -> UInt64) -> Int? {
    for place in streams.indices where isKey(place, field) { return place }
    guard streams.count < KeyedSequences.most else { return nil }
    for index in 0..<width { keys.append(field(index)) }
    streams.append(SequenceTracker(bits: bits))
    return streams.count - 1
  }

  /// Whether the stream at this place has this key.
  @inline(__always)
  private func isKey(_ place: Int, _ field: (Int) -> UInt64) -> Bool {
    for index in 0..<width where keys[place * width + index] != field(index) { return false }
    return true
  }
}
