import TelecapText

/// Infers the rules for single events: commands and sessions. A line shows an event if it comes just after each of them
/// and at no other time.
struct EventLearner {
  /// All events of one kind, with those that must have no effect.
  let occasions: [ExpectedEvent]
  /// All output.
  let records: [SeenRecord]
  /// Words of this session only.
  let foreign: Set<String>

  /// The fields to read of a kind: those that its events must have, which differ between events, and optional ones.
  struct Reading {
    var kind: EventRule.Kind
    var needed: [String] = []
    var asShown: [String] = []
    /// The field that says whether an event had an effect, where there is one.
    var says: String?
    /// The minimum number of times that a word must occur.
    var fewest = 2
  }

  /// Rules that together show all events, and whether they do.
  func rules(_ reading: Reading) -> (rules: [LearnedRule], isWhole: Bool) {
    let effective = occasions.filter(\.isEffective)
    var rest = candidates(reading, effective)
    var open = Set(effective.indices)
    var rules: [LearnedRule] = []
    while !open.isEmpty, let best = rest.max(by: { isBetter($1, than: $0, for: open) }),
      !best.shown.isDisjoint(with: open)
    {
      var rule = best.rule
      let rivals = rest.filter { $0.shown == best.shown && $0.rule.example != best.rule.example }
      if let rival = rivals.first {
        rule.notes.append("this line could be meant too: \(MappingStatistics.quoted(rival.rule.example))")
      }
      rules.append(rule)
      open.subtract(best.shown)
      // A second rule for the same event would report it twice.
      rest.removeAll { !$0.shown.isDisjoint(with: best.shown) }
    }
    return (rules, open.isEmpty)
  }

  /// A possible rule.
  private struct Candidate {
    var rule: LearnedRule
    /// The indices of the events that it shows.
    var shown: Set<Int>
    /// Whether it also reads lines of events without effect, and has no field for the effect.
    var isLoose: Bool
    /// Its position in the output. A later one is better: programs print an input before its effect.
    var order: Int
  }

  private func isBetter(_ one: Candidate, than other: Candidate, for open: Set<Int>) -> Bool {
    let count = (one.shown.intersection(open).count, other.shown.intersection(open).count)
    if count.0 != count.1 { return count.0 > count.1 }
    if one.isLoose != other.isLoose { return !one.isLoose }
    let fields = (one.rule.rule.fields.count, other.rule.rule.fields.count)
    if fields.0 != fields.1 { return fields.0 > fields.1 }
    return one.order > other.order
  }

  private func candidates(_ reading: Reading, _ effective: [ExpectedEvent]) -> [Candidate] {
    let idle = occasions.filter { !$0.isEffective }
    return EventCandidates.all(effective, in: records).compactMap { all in
      // Ignore lines of events that must have no effect: a program may print the same line for them.
      let isOfIdle = { (record: SeenRecord) in idle.contains { $0.span.contains(record.time) } }
      let says = reading.says.flatMap { name in all.flag(falseIn: all.outside.filter(isOfIdle)).map { (name, $0) } }
      let strict = says == nil ? all.discriminated : nil
      let isStrict = strict?.happenings.count == all.count
      guard let (happenings, path) = isStrict ? strict : all.without(isOfIdle).discriminated else { return nil }
      guard var rule = rule(reading, happenings, path, effective) else { return nil }
      if let (name, path) = says, rule.rule.pattern == nil { rule.rule.fields[name] = FieldSource(path: path) }
      let reader = RecordReader(rule.rule)
      let isLoose = all.outside.contains { isOfIdle($0) && reader.reads($0) }
      let order = records.firstIndex { $0.quoted == happenings.inside[0].record.quoted } ?? 0
      return Candidate(
        rule: rule, shown: Set(happenings.inside.map(\.occasion)), isLoose: isLoose && says == nil,
        order: order)
    }
  }

  private func rule(
    _ reading: Reading, _ happenings: EventCandidates, _ path: [String]?, _ effective: [ExpectedEvent]
  ) -> LearnedRule? {
    var rule = EventRule(reading.kind)
    for field in reading.needed {
      let known = { effective[$0].fields[field] }
      if let constant = happenings.constant(known) {
        rule.fields[field] = FieldSource(path: [], value: constant.node)
      } else if let source = happenings.source(of: known)
        ?? happenings.words(meaning: known, eachAtLeast: reading.fewest)
      {
        rule.fields[field] = source
      } else {
        return nil
      }
    }
    for field in reading.asShown {
      guard let source = happenings.source(of: { effective[$0].fields[field] }) else { continue }
      rule.fields[field] = source
    }
    let inside = happenings.inside.map(\.record)
    var notes: [String] = []
    if inside[0].words == nil {
      if let path {
        let names = inside.compactMap { $0[path]?.meantText }.reduce(into: [String]()) {
          if !$0.contains($1) { $0.append($1) }
        }
        rule.conditions = [EventRule.Condition(path, names)]
      } else {
        let paths = Set(rule.fields.values.map(\.path).filter { !$0.isEmpty })
        let others = records.filter { $0.source == inside[0].source && $0.words == nil && $0.shape != inside[0].shape }
        let made = Conditions(for: inside, against: others, reading: paths, foreign: foreign)
        rule.conditions = made.conditions
        if rule.conditions.isEmpty, let words = rule.fields.values.first(where: { !$0.words.isEmpty }) {
          rule.conditions = [EventRule.Condition(words.path, words.words.keys.sorted())]
        }
        // A rule without conditions reads any object with one of its fields.
        if rule.conditions.isEmpty, paths.isEmpty { return nil }
        if let line = made.confused.first {
          notes.append("this line cannot be distinguished from it: \(MappingStatistics.quoted(line.quoted))")
        }
      }
    } else if let confused = read(inside, path, into: &rule) {
      notes += confused.prefix(1).map { "this line cannot be distinguished from it: \(MappingStatistics.quoted($0))" }
    } else {
      return nil
    }
    return LearnedRule(
      rule: rule, source: inside[0].source, example: inside[0].quoted, found: happenings.count, of: effective.count,
      notes: notes)
  }

  /// Makes the expression of a rule for text. Returns the lines that it matches and should not, or nil where no
  /// expression is possible.
  private func read(_ inside: [SeenRecord], _ path: [String]?, into rule: inout EventRule) -> [String]? {
    var slots: [Int: PatternMaker.Slot] = [:]
    func words(at place: Int) -> [String] {
      inside.compactMap { $0[["\(place)"]]?.string }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    for (name, source) in rule.fields.sorted(by: { $0.key < $1.key }) {
      guard let place = source.path.first.flatMap({ Int($0) }) else { continue }
      if slots[place] == nil { slots[place] = source.words.isEmpty ? .value(name) : .oneOf(words(at: place), name) }
      rule.fields[name]?.path = [slots[place]?.name ?? name]
    }
    if let place = path?.first.flatMap({ Int($0) }), slots[place] == nil, words(at: place).count > 1 {
      slots[place] = .oneOf(words(at: place), "what")
    }
    let lines = inside.map(\.quoted)
    let outside = records.filter { $0.source == inside[0].source && !lines.contains($0.quoted) }.map(\.quoted)
    let made = PatternMaker(inside.compactMap(\.words), reading: slots).pattern(matching: lines, butNot: outside)
    guard let pattern = made.pattern else { return nil }
    rule.pattern = pattern
    return made.confused
  }
}
