import TelecapRecording

/// One session with a program of which nothing is known yet: what it was told when, and all that it printed. From it the
/// rules are found by which its lines are read.
public struct LearningLog: Sendable {
  /// What it was told, in order of time.
  public var occasions: [ExpectedEvent]
  /// What it printed anywhere, in order of time; before 0 it was starting.
  public var lines: [SeenLine]

  /// A session of these.
  public init(occasions: [ExpectedEvent], lines: [SeenLine]) {
    self.occasions = occasions
    self.lines = lines
  }
}

/// A line that a program printed.
public struct SeenLine: Hashable, Sendable {
  /// When it was read, in ns since the session began.
  public var time: Nanoseconds
  /// The line, without its end.
  public var text: String
  /// Where it came from.
  public var source: SystemFile.Source

  /// A line.
  public init(_ text: String, at time: Nanoseconds, from source: SystemFile.Source = .stdout) {
    self.time = time
    self.text = text
    self.source = source
  }
}

/// Something that a program was told, or that befell it, and what it may show of it.
public struct ExpectedEvent: Sendable {
  /// What it is to show; nil for what shows nothing.
  public var kind: EventRule.Kind?
  /// When it could show it: from when it was told until it is told something else, in ns.
  public var span: Range<Nanoseconds>
  /// What it is to show, by our names for its fields.
  public var fields: [String: KnownValue]
  /// It must have an effect; what comes twice, too late or from a stranger must have none.
  public var isEffective: Bool

  /// Something that can be shown in this time.
  public init(
    _ kind: EventRule.Kind?, in span: Range<Nanoseconds>, fields: [String: KnownValue] = [:], isEffective: Bool = true
  ) {
    self.kind = kind
    self.span = span
    self.fields = fields
    self.isEffective = isEffective
  }
}

/// The value of a field that a program was told.
public enum KnownValue: Hashable, Sendable {
  /// A measure, which may be shown rounded and in another unit.
  case measure(Double)
  /// A time in µs, which may be shown in another unit.
  case microseconds(Double)
  /// A count, a code or an id: it is shown as it is.
  case whole(Double)
  /// How far something has gone by now, from wherever it began.
  case distance(Double)
  /// Yes or no.
  case flag(Bool)
  /// A word.
  case text(String)

  /// As a number; nil for text.
  var number: Double? {
    switch self {
    case .measure(let value), .microseconds(let value), .whole(let value), .distance(let value): value
    case .flag(let value): value ? 1 : 0
    case .text: nil
    }
  }
}
