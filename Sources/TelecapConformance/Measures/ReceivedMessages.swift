import TelecapRecording
import TelecapWire

/// The messages that reached a receiver, and its reactions to them, by kind and stream.
///
/// A datagram counts as the message that was sent, even if the network made another one of it. A message that the receiver
/// need not serve (an invalid one, or one without a session) counts as refused, unless the receiver reports its use.
public struct ReceivedMessages: Sendable {
  /// The reactions to the messages of one kind as values of one stream.
  public struct Reactions: Hashable, Sendable {
    /// Messages that the receiver applied.
    public internal(set) var applied = 0
    /// Messages that it dropped as stale or duplicate.
    public internal(set) var stale = 0
    /// Messages that it refused: invalid ones, those without a session, and values that must not be applied.
    public internal(set) var refused = 0

    /// All counts are 0.
    public init() {}

    /// Messages with a known reaction.
    public var total: Int { applied + stale + refused }

    /// The sums of two counts.
    public static func + (left: Reactions, right: Reactions) -> Reactions {
      var sum = left
      sum.applied += right.applied
      sum.stale += right.stale
      sum.refused += right.refused
      return sum
    }
  }

  /// The maximum number of streams: each has a bit in a set.
  static let maxStreams = 64

  /// The number of delivered messages, by the index of the kind in its protocol.
  public private(set) var delivered: [Int]
  private var reactions: [[Reactions]]
  private let streams: [JudgedStream]
  /// The streams that a kind carries, a bit each, by the index of the kind.
  private let carried: [UInt64]
  /// The last sent datagrams with their kinds, each at its packet number modulo `mostSent`: numbers from a file may be of any size, and
  /// a packet that is delivered after as many others counts as what arrives.
  private var sent: [(packet: Int, kind: UInt16)]
  private static let mostSent = 65_536
  /// The kind of the current delivery, and the streams whose reaction to it is unknown.
  private var current = 0
  private var pending: UInt64 = 0
  /// Those of them that need not be served.
  private var unserved: UInt64 = 0

  /// Without messages, for a receiver of these streams of one protocol.
  init(_ all: [JudgedStream]) {
    let kinds = all.first?.owner.messages ?? []
    let streams = Array(all.prefix(ReceivedMessages.maxStreams))
    self.streams = streams
    delivered = [Int](repeating: 0, count: kinds.count)
    sent = [(packet: Int, kind: UInt16)](repeating: (0, 0), count: ReceivedMessages.mostSent)
    reactions = kinds.map { _ in [Reactions](repeating: Reactions(), count: streams.count) }
    carried = kinds.map { kind in
      streams.indices.reduce(into: 0) { bits, index in
        if streams[index].form(of: kind) != nil { bits |= UInt64(1) << UInt64(index) }
      }
    }
  }

  /// The reactions to messages of the kind with this index, for each stream whose receiver reports them. A receiver that
  /// only shows its state reports none.
  public func reactions(to kind: Int) -> [(stream: String, reactions: Reactions)] {
    guard kind < carried.count else { return [] }
    return streams.indices.compactMap { index in
      guard carried[kind] & (UInt64(1) << UInt64(index)) != 0 else { return nil }
      let isTold = reactions.contains { $0[index].applied + $0[index].stale > 0 }
      guard isTold || !streams[index].showsState else { return nil }
      return (streams[index].rules.name, reactions[kind][index])
    }
  }

  // MARK: - Events of the run

  /// Stores the kind of a datagram that was sent.
  mutating func sent(_ kind: MessageKind, packet: Int) {
    guard packet > 0 else { return }
    sent[packet % ReceivedMessages.mostSent] = (packet, UInt16(clamping: kind.place))
  }

  /// Counts a delivered message. `packet` is the number of its datagram; nil for a message of a byte stream.
  /// - Parameter unserved: the streams for which it need not be served, a bit each.
  mutating func deliver(_ kind: MessageKind, packet: Int?, unserved: UInt64) {
    settle()
    current = kind.place
    if let packet, packet > 0 {
      let before = sent[packet % ReceivedMessages.mostSent]
      if before.packet == packet, Int(before.kind) < delivered.count { current = Int(before.kind) }
    }
    delivered[current] += 1
    (pending, self.unserved) = (carried[current], unserved)
    if current != kind.place { refuse() }
  }

  /// Counts the reaction to the current delivery as a value of a stream; later ones belong to no delivery.
  mutating func react(_ reading: JudgedStream.Reading, of stream: Int) {
    guard stream < ReceivedMessages.maxStreams else { return }
    let bit = UInt64(1) << UInt64(stream)
    guard pending & bit != 0, reading != .shows else { return }
    pending &= ~bit
    switch reading {
    case .uses, .applies: reactions[current][stream].applied += 1
    case .dropsStale: reactions[current][stream].stale += 1
    case .dropsInvalid: reactions[current][stream].refused += 1
    case .shows: break
    }
  }

  /// Counts the current delivery as refused, for all streams without a reaction.
  mutating func refuse() {
    for stream in streams.indices where pending & (UInt64(1) << UInt64(stream)) != 0 {
      reactions[current][stream].refused += 1
    }
    pending = 0
  }

  /// Ends the current delivery: without a reaction it was refused where it need not be served, and otherwise it stays
  /// unaccounted.
  mutating func settle() {
    pending &= unserved
    if pending != 0 { refuse() }
  }
}
