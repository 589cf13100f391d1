import TelecapRecording

/// How a receiver must apply the messages of one kind, of one sender, in one session (semantics, Latest value wins).
public struct StreamRules: Hashable, Sendable {
  /// Its name, the second part of its requirements' ids: `pose`.
  public var name: String
  /// The message that carries it.
  public var message: String
  /// Other messages that carry it as well, in fields of the same names.
  public var also: [String]
  /// Which value is the latest.
  public var order: Order
  /// How the numbers of that field compare; without meaning where there is none.
  public var orderRule: OrderRule
  /// The fields that identify one of several streams of the same message, such as a slot; empty for a single stream.
  public var key: [String]
  /// The fields that are applied.
  public var values: [String]
  /// The combination of several values.
  public var merge: Merge
  /// The range that an applied value is clamped to; nil where it is applied as it is.
  public var range: ClosedRange<Double>?
  /// When nothing has come for so many ns the applied value is 0; nil where silence changes nothing.
  public var silence: Nanoseconds?
  /// It belongs to a session: outside one nothing is applied, with a new one it begins afresh, and when its session is lost
  /// a receiver that asked for the session applies 0.
  public var inSession: Bool
  /// The treatment of NaN and ∞.
  public var notFinite: NotFinite
  /// The neutral values of its message's fields, which a sender that ends early sends last (`Teardown`). Empty where no value is known
  /// to be neutral.
  public var neutral: [String: Double]
  /// The longest time between two messages that a sender may take while a session lasts, ns; nil where it may be silent.
  public var interval: Nanoseconds?
  /// The number of messages a second that a sender keeps to; nil where it has no limit.
  public var rate: Double?
  /// How event lines call what a peer makes of it; nil where they call it by the stream's name alone.
  public var events: EventNames?

  /// No number decides which value is the latest.
  public var isInOrderOfArrival: Bool { order == .received || orderRule.comparison == .none }

  /// The treatment of NaN and ∞ by a receiver.
  public enum NotFinite: Hashable, Sendable {
    /// The message is not applied, and does not count as the latest.
    case dropped
    /// NaN and −∞ are the lowest value of the range, +∞ the highest; or the message is not applied.
    case clampedOrDropped
    /// The message is applied as it is, or not: its protocol does not say.
    case any
  }

  /// Which of two messages is the newer one.
  public enum Order: Hashable, Sendable {
    /// The one that was received later.
    case received
    /// That whose number in this field is the newer one by the stream's `orderRule`.
    case sequence(String)
  }

  /// How a receiver combines several values.
  public enum Merge: String, Hashable, Sendable, CaseIterable {
    /// The latest is the state.
    case latest
    /// Each is added once.
    case sum
    /// Each is an event of its own.
    case event
  }

  /// A stream of these rules.
  public init(
    _ name: String, of message: String, also: [String] = [], order: Order = .received,
    orderRule: OrderRule = .serial, key: [String] = [],
    values: [String] = [], merge: Merge = .latest, range: ClosedRange<Double>? = nil, silence: Nanoseconds? = nil,
    inSession: Bool = false, notFinite: NotFinite = .dropped, neutral: [String: Double] = [:],
    interval: Nanoseconds? = nil, rate: Double? = nil, events: EventNames? = nil
  ) {
    self.name = name
    self.message = message
    self.also = also
    self.order = order
    self.orderRule = orderRule
    self.key = key
    self.values = values
    self.merge = merge
    self.range = range
    self.silence = silence
    self.inSession = inSession
    self.notFinite = notFinite
    self.neutral = neutral
    self.interval = interval
    self.rate = rate
    self.events = events
  }
}

/// How the messages of a kind are numbered: the field that puts them in order, and those that identify their streams.
public struct Numbering: Hashable, Sendable {
  /// The field that holds the number.
  public let order: FieldRow
  /// How numbers compare.
  public let numbers: NumberOrder
  /// The fields of the key; none where there is one stream.
  public let key: [FieldRow]

  /// The numberings of the messages of a table, each once.
  static func all(of layout: Layout, _ streams: [StreamRules]) -> [Numbering] {
    guard layout.direction != .unknown else { return [] }
    return streams.filter { $0.message == layout.name }.reduce(into: []) { all, stream in
      guard case .sequence(let name) = stream.order, let order = layout[name] else { return }
      let numbering = Numbering(
        order: order, numbers: NumberOrder(stream.orderRule, bits: order.bitCount),
        key: stream.key.compactMap { layout[$0] })
      if !all.contains(numbering) { all.append(numbering) }
    }
  }
}
