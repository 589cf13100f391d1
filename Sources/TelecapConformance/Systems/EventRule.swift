import TelecapText

/// What an event of the system under test is to us, and where its fields stand: one entry of `events` in a system file.
public struct EventRule: Hashable, Sendable {
  /// What we call it.
  public enum Kind: String, Sendable, CaseIterable {
    /// A host applies a pose.
    case pose
    /// A host applies a command.
    case command
    /// The phone's motor runs at this strength from now on.
    case strength
    /// The phone plays an impact.
    case impact
    /// The pointer is here from now on.
    case pointer
    /// These buttons are down from now on.
    case buttons
    /// So far it has scrolled since it began.
    case scroll
    /// A call of its API was refused.
    case refused
    /// A movement of its user was too large, and was clamped.
    case clamped
    /// A session began.
    case sessionOpened = "session-opened"
    /// A session ended.
    case sessionClosed = "session-closed"
    /// A value of a stream of a declared protocol is applied.
    case applied
  }

  /// What it is.
  public var kind: Kind
  /// What an event must hold to be one: at each path one of these values. Nothing: every event is.
  public var conditions: [Condition]
  /// Where its fields stand, by our names; a field that is not named stands where our own events have it.
  public var fields: [String: FieldSource]
  /// The stream whose value it shows; nil for every other kind.
  public var stream: JudgedStream?

  /// At this path stands one of these values.
  public struct Condition: Hashable, Sendable {
    /// The names on the way.
    public var path: [String]
    /// The values, as text.
    public var values: [String]

    /// A condition.
    public init(_ path: [String], _ values: [String]) {
      self.path = path
      self.values = values
    }
  }

  /// A rule of these parts.
  public init(_ kind: Kind, when conditions: [Condition] = [], fields: [String: FieldSource] = [:]) {
    self.kind = kind
    self.conditions = conditions
    self.fields = fields
  }

  /// Whether this is such an event.
  public func matches(_ event: JSONNode) -> Bool {
    conditions.allSatisfy { condition in
      guard let found = event[condition.path]?.meantText else { return false }
      return condition.values.contains(found)
    }
  }

  /// A number that the event holds, by our name for it; nil where it does not.
  public func number(_ field: String, in event: JSONNode) -> Double? { source(of: field).number(in: event) }

  /// A text that the event holds, by our name for it; nil where it does not.
  public func text(_ field: String, in event: JSONNode) -> String? { source(of: field).text(in: event) }

  private func source(of field: String) -> FieldSource { fields[field] ?? FieldSource(path: [field]) }
}

extension EventRule.Kind {
  /// Our names of its fields: those of the events of `telecap simulate`.
  public var fields: [String] {
    switch self {
    case .pose: ["seq", "timestamp_us", "movement_start", "x", "y", "z", "qx", "qy", "qz", "qw"]
    case .command: ["cmd_type", "value", "changed"]
    case .strength: ["intensity"]
    case .impact: ["style"]
    case .pointer: ["x", "y"]
    case .buttons: ["buttons", "left", "right", "middle"]
    case .scroll: ["scroll"]
    case .refused: ["error"]
    case .clamped: ["delta_x", "delta_y", "scroll"]
    case .sessionOpened: ["peer", "address", "port", "session_id"]
    case .sessionClosed: ["peer", "address", "port", "session_id", "reason"]
    // Those of its stream.
    case .applied: []
    }
  }
}

/// Where the value of a field stands in an event, and how it becomes ours.
public struct FieldSource: Hashable, Sendable {
  /// The names on the way to it; empty where it is always `value`.
  public var path: [String]
  /// What it always is.
  public var value: JSONNode?
  /// What the words mean that stand there.
  public var words: [String: JSONNode]
  /// What a number there is multiplied by: 0.001 where it is in millimetres, −1 where the axis points the other way.
  public var times: Double

  /// A field at this path.
  public init(path: [String], value: JSONNode? = nil, words: [String: JSONNode] = [:], times: Double = 1) {
    self.path = path
    self.value = value
    self.words = words
    self.times = times
  }

  /// The value in an event, a word of it already replaced.
  private func found(in event: JSONNode) -> JSONNode? {
    if let value { return value }
    guard let found = event[path] else { return nil }
    return found.meantText.flatMap { words[$0] } ?? found
  }

  func number(in event: JSONNode) -> Double? { found(in: event)?.meantNumber.map { times == 1 ? $0 : $0 * times } }
  func text(in event: JSONNode) -> String? { found(in: event)?.meantText }
}
