/// The sequence numbers of the messages of one kind: one stream where they have no key, else one for each key.
struct KeyedSequences: Hashable, Sendable {
  /// So many streams are followed: keys that come from noise must not make memory grow.
  static let most = 256
  /// How the numbers compare.
  private let order: NumberOrder
  /// How many fields a key has.
  let width: Int
  /// The fields of the streams' keys, one key after the other.
  private var keys: [UInt64] = []
  private var streams: [SequenceTracker] = []
  /// All numbers, whatever their key: a sender may have one counter for all.
  private var all: SequenceTracker
  /// A number came with one key that had come with another: each key has a counter of its own.
  private var hasOwnCounters = false
  /// Numbers that lack with one key and came with others, or in other messages.
  private(set) var explained = 0

  /// A received number, compared with those before it.
  struct Received {
    /// Its arrival; of a gap only the part that no other key explains.
    var arrival: SequenceTracker.Arrival
    /// The newest before it.
    var newest: UInt64
    /// So many numbers before it came with other keys.
    var explained = 0
  }

  /// Nothing seen yet.
  /// - Parameters:
  ///   - order: how the numbers compare.
  ///   - width: how many fields a key has; 0 where there is one stream.
  init(_ order: NumberOrder, keyOf width: Int) {
    (self.order, self.width) = (order, width)
    all = SequenceTracker(order)
  }

  /// Takes the next number of the stream whose key has these fields: what it is, and the newest before it; nil where as many
  /// streams are followed as may be, and this is none of them.
  @inline(__always)
  mutating func receive(
    _ number: UInt64, key field: (Int) -> UInt64
  ) -> Received? {
    // Also that of a key that is not followed.
    let shared = width > 0 && !hasOwnCounters ? all.receive(number) : nil
    guard let place = place(of: field) else { return nil }
    var received = Received(arrival: .next, newest: streams[place].newest ?? number)
    received.arrival = streams[place].receive(number)
    if let shared { received.explain(by: shared, &hasOwnCounters) }
    explained += received.explained
    return received
  }

  /// Of the numbers that lack, so many came in messages of other kinds.
  mutating func explain(_ count: Int) { explained += count }

  /// Whether this number came with any key.
  func saw(_ number: UInt64) -> Bool {
    width > 0 && !hasOwnCounters ? all.saw(number) : streams.contains { $0.saw(number) }
  }

  /// Whether this number came with any key, or counts as missing already.
  func covers(_ number: UInt64) -> Bool {
    width > 0 && !hasOwnCounters ? all.covers(number) : streams.contains { $0.covers(number) }
  }

  /// Numbers that never came, of all streams.
  var missing: Int {
    let own = ownMissing
    return max(0, own == .max ? own : own - explained)
  }

  private var ownMissing: Int {
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
    streams.append(SequenceTracker(order))
    return streams.count - 1
  }

  /// Whether the stream at this place has this key.
  @inline(__always)
  private func isKey(_ place: Int, _ field: (Int) -> UInt64) -> Bool {
    for index in 0..<width where keys[place * width + index] != field(index) { return false }
    return true
  }
}

extension KeyedSequences.Received {
  /// A gap of one key that is not a gap in the numbers of all keys is no loss: the sender has one counter for all.
  fileprivate mutating func explain(by shared: SequenceTracker.Arrival, _ hasOwnCounters: inout Bool) {
    // A number that came twice with one key is a duplicate. If it came once with each of two keys, each has its own counter.
    if shared == .duplicate, arrival != .duplicate { hasOwnCounters = true }
    guard case .gap(let missing) = arrival else { return }
    let lacking: Int
    switch shared {
    case .next: lacking = 0
    case .gap(let count): lacking = min(count, missing)
    case .duplicate, .late: return
    }
    explained = missing - lacking
    arrival = lacking == 0 ? .next : .gap(missing: lacking)
  }
}
