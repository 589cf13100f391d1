/// How event lines call what a peer makes of a stream, where its protocol has words of its own for it. A class, so that each
/// value of the stream carries it as one reference; nothing in it changes, and two are the same where they are one object.
public final class EventNames: Sendable {
  /// The event of a value that is applied: `pose-applied`.
  public let applied: String
  /// The fields of the stream's events, in their order.
  public let fields: [Field]
  /// Its name in a system file: `pose`.
  public let rule: String
  /// The bits of its one value, from bit 0, as a program may show each by itself; none where it has no such value.
  public let parts: [String]
  /// The field that says whether an applied value made a difference; nil where none does.
  public let change: String?
  /// Its receiver shows a state, which it may do at any time, and not what it made of one message.
  public let isState: Bool

  /// The names of all fields that a rule of a system file may read.
  public let fieldNames: [String]
  /// The output of a receiver about the stream: `which poses it applies`.
  public let meaning: String

  /// Names of these parts.
  public init(
    _ applied: String, _ fields: [Field], rule: String, parts: [String] = [], change: String? = nil,
    isState: Bool = false, meaning: String
  ) {
    (self.applied, self.fields, self.rule, self.parts) = (applied, fields, rule, parts)
    (self.change, self.isState, self.meaning) = (change, isState, meaning)
    fieldNames = fields.map(\.name) + parts + (change.map { [$0] } ?? [])
  }

  /// A field of an event, and the part of the stream in it.
  public enum Field: Sendable {
    /// The number of the value.
    case number(String)
    /// The part of its key at this place.
    case key(String, at: Int)
    /// The number at this place of its values.
    case value(String, at: Int)
    /// Whether this bit of it is set.
    case bit(String, UInt64, at: Int)

    /// Its name in the event.
    public var name: String {
      switch self {
      case .number(let name), .key(let name, _), .value(let name, _), .bit(let name, _, _): name
      }
    }
  }
}

extension EventNames: Hashable {
  public static func == (left: EventNames, right: EventNames) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
