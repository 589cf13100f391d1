import TelecapRecording

/// One session with an unknown program: all timed input and all output. The rules for its lines are inferred from it.
public struct LearningLog: Sendable {
  /// The expected events for the input, in order of time.
  public var occasions: [ExpectedEvent]
  /// All lines of output, in order of time; before 0 the program was starting.
  public var lines: [SeenLine]

  /// A session of these events and lines.
  public init(occasions: [ExpectedEvent], lines: [SeenLine]) {
    self.occasions = occasions
    self.lines = lines
  }
}

/// A line of output.
public struct SeenLine: Hashable, Sendable {
  /// The time at which it was read, in ns since the session began.
  public var time: Nanoseconds
  /// The line, without its end.
  public var text: String
  /// The source of the line.
  public var source: SystemFile.Source

  /// A line read at this time.
  public init(_ text: String, at time: Nanoseconds, from source: SystemFile.Source = .stdout) {
    self.time = time
    self.text = text
    self.source = source
  }
}

/// An event that a program may print: an input, or a change of its connection.
public struct ExpectedEvent: Sendable {
  /// The kind of event; nil where no output is expected.
  public var kind: EventRule.Kind?
  /// The time in which it may be printed, from its input to the next one, in ns.
  public var span: Range<Nanoseconds>
  /// The expected values, by our field names.
  public var fields: [String: KnownValue]
  /// Whether it must have an effect; a duplicate, a stale message or one of an unknown peer must have none.
  public var isEffective: Bool

  /// An event that may be printed in this time.
  public init(
    _ kind: EventRule.Kind?, in span: Range<Nanoseconds>, fields: [String: KnownValue] = [:], isEffective: Bool = true
  ) {
    self.kind = kind
    self.span = span
    self.fields = fields
    self.isEffective = isEffective
  }
}

/// A sent value of a field.
public enum KnownValue: Hashable, Sendable {
  /// A measure, which may be shown rounded and in another unit.
  case measure(Double)
  /// A time in µs, which may be shown in another unit.
  case microseconds(Double)
  /// A count, a code or an id, which is shown unchanged.
  case whole(Double)
  /// The sum so far, relative to an unknown start.
  case distance(Double)
  /// True or false.
  case flag(Bool)
  /// A word.
  case text(String)

  /// The value as a number; nil for text.
  var number: Double? {
    switch self {
    case .measure(let value), .microseconds(let value), .whole(let value), .distance(let value): value
    case .flag(let value): value ? 1 : 0
    case .text: nil
    }
  }
}
