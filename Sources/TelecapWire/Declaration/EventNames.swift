/// How event lines call what a peer makes of a stream, where its protocol has words of its own for it. A class, so that each
/// value of the stream carries it as one reference; nothing in it changes, and two are the same where they are one object.
public final class EventNames: Sendable {
  /// The event of a value that is applied: `pose-applied`.
  public let applied: String
  /// The fields of the stream's events, in their order.
  public let fields: [Field]
  /// The field that says whether an applied value made a difference; nil where none does.
  public let change: String?
  /// Its receiver shows a state, which it may do at any time, and not what it made of one message.
  public let isState: Bool

  /// What a receiver shows of the stream: `which poses it applies`.
  public let meaning: String

  /// Names of these parts.
  public init(_ applied: String, _ fields: [Field], change: String? = nil, isState: Bool = false, meaning: String) {
    (self.applied, self.fields, self.change, self.isState) = (applied, fields, change, isState)
    self.meaning = meaning
  }

  /// A field of an event, and what of the stream stands in it.
  public enum Field: Sendable {
    /// The number of the value.
    case number(String)
    /// The part of its key at this place.
    case key(String, at: Int)
    /// The number at this place of its values.
    case value(String, at: Int)
    /// Whether this bit of it is set.
    case bit(String, UInt64, at: Int)
  }
}

extension EventNames: Hashable {
  public static func == (left: EventNames, right: EventNames) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
