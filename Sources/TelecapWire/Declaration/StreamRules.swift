/// What a receiver must make of the messages of one kind, of one sender, in one session (semantics, Latest value wins).
public struct StreamRules: Hashable, Sendable {
  /// Its name, the second part of its requirements' ids: `pose`.
  public var name: String
  /// The message that carries it.
  public var message: String
  /// Which value is the latest.
  public var order: Order
  /// The fields that tell several streams of the same message apart, such as a slot; empty where there is one.
  public var key: [String]
  /// The fields that are applied.
  public var values: [String]
  /// What the values add up to.
  public var merge: Merge
  /// The range that an applied value is clamped to; nil where it is applied as it is.
  public var range: ClosedRange<Double>?
  /// When nothing has come for so many ns the applied value is 0; nil where silence changes nothing.
  public var silence: Int64?

  /// Which of two messages is the newer one.
  public enum Order: Hashable, Sendable {
    /// That which was received later.
    case received
    /// That whose number in this field is the newer one in serial arithmetic of the field's width (RFC 1982).
    case sequence(String)
  }

  /// What several values come to.
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
    _ name: String, of message: String, order: Order = .received, key: [String] = [], values: [String] = [],
    merge: Merge = .latest, range: ClosedRange<Double>? = nil, silence: Int64? = nil
  ) {
    self.name = name
    self.message = message
    self.order = order
    self.key = key
    self.values = values
    self.merge = merge
    self.range = range
    self.silence = silence
  }
}
