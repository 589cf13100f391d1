import TelecapRecording
import TelecapText

/// Finds the rule for what is sent as values that occur nowhere else: poses, strengths, values of a stream.
struct SampleLearner {
  /// All of one kind that were sent, with those that must have no effect.
  let samples: [Occasion]
  /// All that was printed.
  let records: [SeenRecord]
  /// Words that are of this session alone.
  let foreign: Set<String>

  /// The rule that shows most of them; nil where none does.
  func rule(_ kind: EventRule.Kind, _ stream: JudgedStream?) -> LearnedRule? {
    let effective = samples.filter(\.isEffective)
    let groups = Dictionary(grouping: records) { Group(source: $0.source, form: $0.form) }
    var found: [(group: Group, rule: LearnedRule)] = []
    for (group, records) in groups {
      let isState = [.pointer, .scroll, .buttons].contains(kind)
      let matches =
        isState ? SampleMatches(states: effective, in: records) : SampleMatches(effective, in: records)
      guard !matches.shown.isEmpty else { continue }
      let others = self.records.filter { $0.source == group.source && $0.form != group.form }
      if let rule = rule(kind, stream, matches, records, others, of: effective) { found.append((group, rule)) }
    }
    return found.min { SampleLearner.isBetter($0, than: $1) }?.rule
  }

  private struct Group: Hashable {
    let source: SystemFile.Source
    let form: String
  }

  /// More fields count more, then more samples, then where programs show things first.
  private static func isBetter(
    _ one: (group: Group, rule: LearnedRule), than other: (group: Group, rule: LearnedRule)
  ) -> Bool {
    let fields = (one.rule.rule.fields.count, other.rule.rule.fields.count)
    if fields.0 != fields.1 { return fields.0 > fields.1 }
    if one.rule.found != other.rule.found { return one.rule.found > other.rule.found }
    return (one.group.source.rank, one.group.form) < (other.group.source.rank, other.group.form)
  }

  private func rule(
    _ kind: EventRule.Kind, _ stream: JudgedStream?, _ matches: SampleMatches, _ records: [SeenRecord],
    _ others: [SeenRecord], of samples: [Occasion]
  ) -> LearnedRule? {
    var shown = matches.shown
    var notes = ambiguities(matches)
    if let stage = LastStage(of: shown, in: records) {
      shown = shown.filter { stage.isOf(records[$0.key]) }
      notes.append(stage.words)
    }
    if let delay = delay(of: shown, records, samples, kind) { notes.append(delay) }
    let inside = shown.keys.sorted().map { records[$0] }
    let outside = records.indices.filter { shown[$0] == nil }.map { records[$0] }
    var fields = matches.places.compactMapValues { $0.first.map { FieldSource(path: $0.path, times: $0.times) } }
    for (name, source) in flags(shown, records, samples) { fields[name] = source }
    var rule = EventRule(kind, fields: fields)
    rule.stream = stream
    let lacking = (stream?.fields ?? kind.fields).filter { name in
      fields[name] == nil && samples.contains { $0.fields[name] != nil }
    }
    if !lacking.isEmpty, kind != .buttons { notes.append("not shown: \(lacking.joined(separator: ", "))") }
    guard let first = inside.first else { return nil }
    let confused: [SeenRecord]
    if first.words != nil {
      confused = read(inside, outside + others, into: &rule)
      guard rule.pattern != nil else { return nil }
    } else {
      let made = Conditions(
        for: inside, against: outside, reading: Set(fields.values.map(\.path)), foreign: foreign)
      rule.conditions = made.conditions
      confused = made.confused
    }
    if let line = confused.first(where: { !isIdle($0) }) {
      notes.append("nothing tells this line from it: \(line.quoted)")
    }
    if let line = confused.first(where: isIdle) {
      notes.append("what must have no effect is shown as well: \(line.quoted)")
    }
    return LearnedRule(
      rule: rule, source: first.source, example: first.quoted, found: Set(shown.values).count, of: samples.count,
      notes: notes)
  }

  /// How late lines are from which nobody can tell any more when something was done, in ns.
  private static let late: Nanoseconds = 300_000_000

  /// That a program holds its output back, in words; nil where lines come soon after what they show.
  private func delay(
    of shown: [Int: Int], _ records: [SeenRecord], _ samples: [Occasion], _ kind: EventRule.Kind
  ) -> String? {
    let delays = shown.map { records[$0.key].time - samples[$0.value].span.lowerBound }.sorted()
    guard ![.pointer, .scroll, .buttons].contains(kind), !delays.isEmpty, case let delay = delays[delays.count / 2],
      delay > SampleLearner.late
    else { return nil }
    return
      "it is read \(Double(delay / 100_000_000) / 10) s after what it shows: the program holds its output back; have "
      + "it flush after each line (print(…, flush=True), python3 -u, setvbuf, stdbuf -oL)"
  }

  /// Makes the expression of a rule for text; returns the lines that it takes for its own and should not.
  private func read(_ inside: [SeenRecord], _ outside: [SeenRecord], into rule: inout EventRule) -> [SeenRecord] {
    var slots: [Int: PatternMaker.Slot] = [:]
    for (name, source) in rule.fields.sorted(by: { $0.key < $1.key }) {
      guard let place = source.path.first.flatMap({ Int($0) }) else { continue }
      if slots[place] == nil {
        slots[place] = source.words.isEmpty ? .value(name) : .oneOf(source.words.keys.sorted(), name)
      }
      rule.fields[name]?.path = [slots[place]?.name ?? name]
    }
    let made = PatternMaker(inside.compactMap(\.words), reading: slots)
      .pattern(matching: inside.map(\.quoted), butNot: outside.map(\.quoted))
    rule.pattern = made.pattern
    return outside.filter { made.confused.contains($0.quoted) }
  }

  /// It followed what must have no effect.
  private func isIdle(_ record: SeenRecord) -> Bool {
    samples.contains { !$0.isEffective && $0.span.contains(record.time) }
  }

  /// Where a yes or no stands that was sent with each sample.
  private func flags(
    _ shown: [Int: Int], _ records: [SeenRecord], _ samples: [Occasion]
  ) -> [(name: String, source: FieldSource)] {
    guard let first = shown.keys.min() else { return [] }
    let names = Set(samples.flatMap { $0.fields.filter { if case .flag = $0.value { true } else { false } }.keys })
    return names.sorted().compactMap { name in
      for path in records[first].values.map(\.path) {
        let seen = shown.compactMap { place, sample in records[place][path].map { ($0, samples[sample].fields[name]) } }
        let meanings = Dictionary(grouping: seen) { $0.0.meantText ?? "" }.mapValues { Set($0.map(\.1)) }
        guard seen.count == shown.count, meanings.count == 2, meanings.values.allSatisfy({ $0.count == 1 }),
          Set(meanings.values).count == 2
        else { continue }
        if seen.allSatisfy({ $0.0.meantNumber == $0.1?.number }) { return (name, FieldSource(path: path)) }
        return (name, FieldSource(path: path, words: meanings.compactMapValues { $0.first??.node }))
      }
      return nil
    }
  }

  /// The other places at which a field stands as often.
  private func ambiguities(_ matches: SampleMatches) -> [String] {
    matches.places.sorted { $0.key < $1.key }.compactMap { field, places in
      guard let first = places.first else { return nil }
      let others = places.dropFirst().map { $0.path.joined(separator: ".") }.filter {
        $0 != first.path.joined(separator: ".")
      }
      guard !others.isEmpty else { return nil }
      return "\"\(field)\" also stands at \(others.prefix(3).joined(separator: ", "))"
    }
  }
}

/// Where a program shows each sample in several kinds of line, as it comes and as it is used: the last of them.
private struct LastStage {
  private let path: [String]
  private let name: String
  private let others: [String]

  /// Nil where each sample is shown in one kind of line.
  init?(of shown: [Int: Int], in records: [SeenRecord]) {
    let inside = shown.keys.sorted()
    let samples = Set(shown.values)
    guard let first = inside.first, records[first].words == nil, 2 * inside.count >= 3 * samples.count else {
      return nil
    }
    for (path, value) in records[first].values where value.isName {
      let names = Set(inside.compactMap { records[$0][path]?.string })
      guard (2...4).contains(names.count) else { continue }
      let covered = names.map { name in
        (name, Set(inside.filter { records[$0][path]?.string == name }.compactMap { shown[$0] }))
      }
      guard covered.allSatisfy({ 2 * $0.1.count > samples.count }) else { continue }
      // The last kind of line that the first sample was shown in is what became of it.
      guard let last = inside.last(where: { shown[$0] == shown[first] }).flatMap({ records[$0][path]?.string }) else {
        continue
      }
      (self.path, name, others) = (path, last, names.filter { $0 != last }.sorted())
      return
    }
    return nil
  }

  func isOf(_ record: SeenRecord) -> Bool { record[path]?.string == name }

  var words: String {
    "each is also shown where \(path.joined(separator: ".")) is \(others.joined(separator: " or ")); \(name) comes last"
  }
}
