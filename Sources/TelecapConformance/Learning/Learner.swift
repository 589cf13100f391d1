import TelecapModels
import TelecapText
import TelecapWire

/// Infers the rules of a system file from one session with a program, by finding the sent values in the output.
public enum Learner {
  /// The rules, and the events without a rule. Of all line formats, the one that yields most is used; if several yield
  /// the same, the given one or the simplest.
  public static func learn(_ log: LearningLog, preferring given: LineFormat = .lines) -> LearnedSystem {
    let formats = [given] + LineFormat.allCases.filter { $0 != given }
    var best: LearnedSystem?
    var tried: [[SeenLine]] = []
    for format in formats {
      let lines = format.read(log.lines)
      // Skip a format that reads the same lines.
      guard !tried.contains(lines) else { continue }
      tried.append(lines)
      var learned = Learner.learned(LearningLog(occasions: log.occasions, lines: lines))
      learned.format = format
      guard let other = best else {
        best = learned
        continue
      }
      if learned.worth > other.worth { best = learned }
    }
    return best ?? LearnedSystem()
  }

  private static func learned(_ log: LearningLog) -> LearnedSystem {
    var records = Array(log.lines.prefix(most).flatMap(SeenRecord.records).prefix(most))
    let all = records
    let foreign = Learner.foreign(log.occasions)
    var learned = LearnedSystem()
    for kind in kinds(of: log.occasions) {
      let occasions = log.occasions.filter { $0.kind == kind }
      if let reading = reading(of: kind) {
        let learner = EventLearner(occasions: occasions, records: records, foreign: foreign)
        var found = learner.rules(reading)
        // A program may report that a session ended without the reason.
        if !found.isWhole, kind == .sessionClosed {
          let without = learner.rules(
            .init(kind: .sessionClosed, asShown: ["session_id", "peer", "port"]))
          if without.isWhole { found = without }
        }
        learned.take(found, reading, occasions)
        // A line for the start of a session cannot be one for its end.
        if found.isWhole {
          let readers = found.rules.map { RecordReader($0.rule) }
          records.removeAll { record in readers.contains { $0.reads(record) } }
        }
      } else {
        let learner = SampleLearner(samples: occasions, records: records, foreign: foreign)
        learned.take(learner.rules(kind), kind, occasions)
      }
    }
    learned.keepWholeSessions()
    learned.keepOneMotor()
    learned.keepOneSource(of: all)
    if !learned.rules.isEmpty, let clock = PrintedClock.restarting(in: all) {
      let count = clock.restarts == 1 ? "once" : "\(clock.restarts) times"
      learned.notes.append(
        "\(clock.name) is a clock that began again \(count): nothing is dated by it, but by when a line is read")
    }
    learned.rules.sort { ($0.rule.kind.place, -$0.found) < ($1.rule.kind.place, -$1.found) }
    return learned
  }

  /// The maximum number of lines and objects to read: more than a program prints in a session at 1 kHz.
  private static let most = 20_000

  /// The expected kinds, in order of their first event.
  private static func kinds(of occasions: [ExpectedEvent]) -> [EventRule.Kind] {
    occasions.filter(\.isEffective).compactMap(\.kind).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The fields to read of a single event; nil for a kind that is recognised by its values.
  private static func reading(of kind: EventRule.Kind) -> EventLearner.Reading? {
    switch kind {
    case .applied(let stream) where stream.showing == .codes:
      .init(kind: kind, needed: stream.codedFields, says: stream.rules.events?.change)
    case .note(let note): .init(kind: kind, needed: note.fields.map(\.name))
    case .sessionOpened: .init(kind: kind, asShown: ["session_id", "peer", "port"])
    case .sessionClosed: .init(kind: kind, needed: ["reason"], asShown: ["session_id", "peer", "port"], fewest: 1)
    default: nil
    }
  }

  /// The numbers and addresses of this session, which a rule must not use as conditions.
  private static func foreign(_ occasions: [ExpectedEvent]) -> Set<String> {
    Set(
      occasions.filter { $0.kind == .sessionOpened || $0.kind == .sessionClosed }.flatMap { occasion in
        ["session_id", "port", "peer"].compactMap { occasion.fields[$0]?.node.meantText }
      })
  }
}

extension EventRule.Kind {
  /// Whether each line shows a state: a sum, or a value that stays until it changes.
  var isState: Bool {
    if case .applied(let stream) = self { stream.adds || stream.showing == .bits } else { false }
  }

  /// Whether it shows the output of a motor.
  fileprivate var isOfMotor: Bool {
    if case .applied(let stream) = self { stream.showing == .measure } else { isRequested }
  }

  /// Whether its bits may be shown separately.
  var hasParts: Bool { if case .applied(let stream) = self { stream.showing == .bits } else { false } }

  /// The order of rules in a file: streams as their protocol declares them, then all others.
  fileprivate var place: Int {
    switch self {
    case .applied(let stream): stream.owner.streams.firstIndex { $0.name == stream.rules.name } ?? 0
    case .note: .max - 3
    case .sessionOpened: .max - 2
    case .sessionClosed: .max - 1
    case .told: .max
    }
  }
}

extension LearnedSystem {
  /// The order of formats: by kinds, then fields, then without expressions, since a small change of a line breaks an
  /// expression.
  fileprivate var worth: (Int, Int, Int) {
    (
      Set(rules.map(\.rule.kind)).count, rules.reduce(0) { $0 + $1.rule.fields.count },
      -rules.count { $0.rule.pattern != nil }
    )
  }

  /// Adds the rules for one kind, or the reason why there are none.
  fileprivate mutating func take(
    _ found: (rules: [LearnedRule], isWhole: Bool), _ reading: EventLearner.Reading, _ occasions: [ExpectedEvent]
  ) {
    let count = occasions.count(where: \.isEffective)
    if found.isWhole { return rules += found.rules }
    let shown = found.rules.reduce(0) { $0 + $1.found }
    let why =
      shown == 0
      ? "nothing is printed just after each of the \(count), and at no other time"
      : "only \(shown) of the \(count) are shown: \(MappingStatistics.quoted(found.rules[0].example))"
    missing.append(Missing(kind: reading.kind, why: why))
  }

  /// Adds the rules for sent values, or the reason why there are none. A program that shows only some of the applied
  /// values would fail as one that drops the others.
  fileprivate mutating func take(
    _ found: [LearnedRule], _ kind: EventRule.Kind, _ occasions: [ExpectedEvent]
  ) {
    let count = occasions.count(where: \.isEffective)
    let shown = found.reduce(0) { $0 + $1.found }
    if !found.isEmpty, kind.isState || 4 * shown >= 3 * count {
      rules += found
      if shown < count, !kind.isState {
        rules[rules.count - 1].notes.append(
          "\(count - shown) of the \(count) are not shown: a program that applies them and does not say so fails")
      }
      return
    }
    let why =
      found.isEmpty
      ? "fewer than \(SampleMatches.fewest) of the \(count) that were sent are shown with their values"
      : "only \(shown) of the \(count) that were sent are shown: \(MappingStatistics.quoted(found[0].example))"
    missing.append(Missing(kind: kind, why: why))
  }

  /// Drops a rule for the start or the end of sessions without the other: verdicts need both.
  fileprivate mutating func keepWholeSessions() {
    let kinds: [EventRule.Kind] = [.sessionOpened, .sessionClosed]
    let found = kinds.filter { kind in rules.contains { $0.rule.kind == kind } }
    guard found.count == 1, missing.contains(where: { kinds.contains($0.kind) }) else { return }
    rules.removeAll { kinds.contains($0.rule.kind) }
    missing.append(Missing(kind: found[0], why: "it is shown, and its counterpart is not"))
  }

  /// A motor shows its output or the requested strength; one of them suffices.
  fileprivate mutating func keepOneMotor() {
    if rules.contains(where: { $0.rule.kind.isOfMotor }) { missing.removeAll { $0.kind.isOfMotor } }
  }

  /// Keeps only the source with most rules where sources show the same, since each event would be reported twice.
  fileprivate mutating func keepOneSource(of records: [SeenRecord]) {
    let counts = Dictionary(grouping: rules) { $0.source }.mapValues(\.count)
    guard counts.count > 1, let main = counts.max(by: { ($0.value, -$0.key.rank) < ($1.value, -$1.key.rank) })?.key
    else {
      return
    }
    for source in counts.keys where source != main {
      let readers = rules.filter { $0.source == main }.map { RecordReader($0.rule) }
      let others = records.filter { $0.source == source }
      let isDouble = readers.contains { others.contains(where: $0.reads) }
      guard isDouble else { continue }
      for rule in rules where rule.source == source {
        missing.append(
          Missing(
            kind: rule.rule.kind,
            why: "\(source.words) shows it in addition to events that \(main.words) shows too"))
      }
      rules.removeAll { $0.source == source }
    }
  }
}
