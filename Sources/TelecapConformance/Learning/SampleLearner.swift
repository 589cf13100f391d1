import TelecapImpairment
import TelecapRecording
import TelecapText

/// Infers the rule for sent values that occur nowhere else: poses, strengths, stream values.
struct SampleLearner {
  /// All sent samples of one kind, with those that must have no effect.
  let samples: [ExpectedEvent]
  /// All output.
  let records: [SeenRecord]
  /// Words of this session only.
  let foreign: Set<String>

  /// The rule that shows most samples, and others for lines with the same start and another end; empty where no line
  /// shows them.
  func rules(_ kind: EventRule.Kind) -> [LearnedRule] {
    let effective = samples.filter(\.isEffective)
    let groups = Dictionary(grouping: records) { Group(source: $0.source, form: $0.form) }
    var found: [Found] = []
    for (group, records) in groups {
      let matches =
        kind.isState ? SampleMatches(states: effective, in: records) : SampleMatches(effective, in: records)
      guard !matches.shown.isEmpty else { continue }
      let others = self.records.filter { $0.source == group.source && $0.form != group.form }
      if let rule = rule(kind, matches, records, others, of: effective) {
        found.append(Found(group: group, rule: rule, matches: matches))
      }
    }
    guard let best = found.min(by: { $0.isBetter(than: $1) }) else { return [] }
    if kind.isState { return [best.rule] }
    let tails = Tails(of: best.matches, groups[best.group] ?? [], among: groups.values.map(\.self), samples)
    guard let tails, !tails.all.isEmpty else { return [best.rule] }
    let parts = [(groups[best.group] ?? [], best.matches)] + tails.shown
    let constants = SampleLearner.constants(of: parts.map(\.1), effective)
    if constants.allSatisfy(\.isEmpty), !tails.tellOthers {
      // The text after the values has no meaning.
      let lines = ((groups[best.group] ?? []) + tails.all.joined()).map { $0.cut(behind: tails.last) }
        .sorted { $0.time < $1.time }
      let matches = SampleMatches(effective, in: lines, at: best.matches.places)
      let quoted = Set(lines.map(\.quoted))
      let others = self.records.filter { $0.source == best.group.source && !quoted.contains($0.quoted) }
      if let rule = rule(kind, matches, lines, others, of: effective) { return [rule] }
    }
    return parts.enumerated().compactMap { place, part in
      let form = part.0.first?.form
      let others = self.records.filter { $0.source == best.group.source && $0.form != form }
      return rule(kind, part.1, part.0, others, of: effective, constants[place])
    }
  }

  /// The flags that are constant in all samples of a form and differ in other forms, for each form.
  private static func constants(of parts: [SampleMatches], _ samples: [ExpectedEvent]) -> [[String: FieldSource]] {
    var constants = Array(repeating: [String: FieldSource](), count: parts.count)
    let flags = Set(samples.flatMap { $0.fields.filter { if case .flag = $0.value { true } else { false } }.keys })
    for name in flags {
      let meanings = parts.map { Set($0.shown.values.map { samples[$0].fields[name] }) }
      guard meanings.allSatisfy({ $0.count == 1 }), Set(meanings).count > 1 else { continue }
      for (place, meaning) in meanings.enumerated() {
        if let flag = meaning.first?.map(\.node) { constants[place][name] = FieldSource(path: [], value: flag) }
      }
    }
    return constants
  }

  private struct Group: Hashable {
    let source: SystemFile.Source
    let form: String
  }

  /// The result for the lines of one form.
  private struct Found {
    let group: Group
    let rule: LearnedRule
    let matches: SampleMatches

    /// More fields are better, then more samples, then the earlier form in the usual order of output.
    func isBetter(than other: Found) -> Bool {
      let fields = (rule.rule.fields.count, other.rule.rule.fields.count)
      if fields.0 != fields.1 { return fields.0 > fields.1 }
      if rule.found != other.rule.found { return rule.found > other.rule.found }
      return (group.source.rank, group.form) < (other.group.source.rank, other.group.form)
    }
  }

  private func rule(
    _ kind: EventRule.Kind, _ matches: SampleMatches, _ records: [SeenRecord],
    _ others: [SeenRecord], of samples: [ExpectedEvent], _ constants: [String: FieldSource] = [:]
  ) -> LearnedRule? {
    var shown = matches.shown
    var notes = ambiguities(matches)
    if let stage = LastStage(of: shown, in: records) {
      shown = shown.filter { stage.isOf(records[$0.key]) }
      notes.append(stage.words)
    }
    if let delay = delay(of: shown, records, samples, isState: kind.isState) { notes.append(delay) }
    let inside = shown.keys.sorted().map { records[$0] }
    let outside = records.indices.filter { shown[$0] == nil && records[$0].words?.isCut != true }.map { records[$0] }
    var fields = matches.places.compactMapValues { $0.first.map { FieldSource(path: $0.path, times: $0.times) } }
    for (name, source) in flags(shown, records, samples) { fields[name] = source }
    fields.merge(constants) { found, _ in found }
    var rule = EventRule(kind, fields: fields)
    let lacking = kind.fields.filter { name in
      fields[name] == nil && samples.contains { $0.fields[name] != nil }
    }
    if !lacking.isEmpty, !kind.hasParts { notes.append("not shown: \(lacking.joined(separator: ", "))") }
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
      notes.append("this line cannot be distinguished from it: \(line.quoted)")
    }
    if let line = confused.first(where: isIdle) {
      notes.append("what must have no effect is shown as well: \(line.quoted)")
    }
    return LearnedRule(
      rule: rule, source: first.source, example: first.quoted, found: Set(shown.values).count, of: samples.count,
      notes: notes)
  }

  /// The median delay in ns from which the time of an action cannot be inferred from its line: telecap reads unbuffered
  /// output within a few milliseconds, also on a busy machine.
  private static let late: Nanoseconds = 40_000_000

  /// A note that a program buffers its output; nil where lines follow their events soon.
  private func delay(
    of shown: [Int: Int], _ records: [SeenRecord], _ samples: [ExpectedEvent], isState: Bool
  ) -> String? {
    let delays = shown.map { records[$0.key].time - samples[$0.value].span.lowerBound }.sorted()
    guard !isState, !delays.isEmpty,
      delays[delays.count / 2] > SampleLearner.late, let delay = delays.last
    else { return nil }
    return
      "it is read up to \(Interval(nanoseconds: delay / 10_000_000 * 10_000_000)) after what it shows: the program holds its output back; have "
      + "it flush after each line (print(…, flush=True), python3 -u, setvbuf, stdbuf -oL)"
  }

  /// Makes the expression of a rule for text. Returns the lines that it matches and should not.
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

  /// Whether it followed a sample that must have no effect.
  private func isIdle(_ record: SeenRecord) -> Bool {
    samples.contains { !$0.isEffective && $0.span.contains(record.time) }
  }

  /// The paths of flags that equal those sent with each sample.
  private func flags(
    _ shown: [Int: Int], _ records: [SeenRecord], _ samples: [ExpectedEvent]
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

  /// The other paths at which a field occurs as often.
  private func ambiguities(_ matches: SampleMatches) -> [String] {
    matches.places.sorted { $0.key < $1.key }.compactMap { field, places in
      guard let first = places.first else { return nil }
      let others = places.dropFirst().map { $0.path.joined(separator: ".") }.filter {
        $0 != first.path.joined(separator: ".")
      }
      guard !others.isEmpty else { return nil }
      return "\"\(field)\" is also at \(others.prefix(3).joined(separator: ", "))"
    }
  }
}

/// Lines that begin like those of a rule and end differently, as with a mark, a word or a bar after the values.
private struct Tails {
  /// The index of the last word that the rule reads.
  let last: Int
  /// All such lines, by form.
  private(set) var all: [[SeenRecord]] = []
  /// Those that show samples which no other line shows, and none that must have no effect.
  private(set) var shown: [([SeenRecord], SampleMatches)] = []
  /// Whether some are unrelated: samples without effect, samples that were shown before, or words in place of numbers.
  private(set) var tellOthers = false

  /// Nil where the rule does not read words.
  init?(
    of matches: SampleMatches, _ records: [SeenRecord], among groups: [[SeenRecord]], _ samples: [ExpectedEvent]
  ) {
    let places = matches.places.values.compactMap { $0.first?.path }
    guard let first = matches.shown.keys.min(), let words = records[first].words,
      let last = places.compactMap({ $0.first.flatMap { Int($0) } }).max()
    else { return nil }
    self.last = last
    let (effective, idle) = (samples.filter(\.isEffective), samples.filter { !$0.isEffective })
    var known = Set(matches.shown.values)
    let likely = groups.filter { group in
      group.first.map { $0.source == records[first].source && $0.form != records[first].form } ?? false
    }
    for group in likely.sorted(by: { ($0[0].time, $0[0].form) < ($1[0].time, $1[0].form) }) {
      let lines = group.filter { $0.words?.begins(as: words, upTo: last) == true }
      guard !lines.isEmpty else { continue }
      all.append(group)
      let found = SampleMatches(effective, in: group, at: matches.places)
      let isOther =
        !known.isDisjoint(with: found.shown.values) || lines.count < group.count
        || !SampleMatches(idle, in: group, at: matches.places).shown.isEmpty
        || lines.contains { line in places.contains { line[$0]?.meantNumber?.isFinite != true } }
      if isOther {
        tellOthers = true
      } else if !found.shown.isEmpty {
        known.formUnion(found.shown.values)
        shown.append((group, found))
      }
    }
  }
}

/// The last of several kinds of line, such as received and applied, in which a program shows each sample.
private struct LastStage {
  private let path: [String]
  private let name: String
  private let others: [String]

  /// Nil where each sample is shown in one kind of line.
  init?(of shown: [Int: Int], in records: [SeenRecord]) {
    let inside = shown.keys.sorted()
    let samples = Set(shown.values)
    guard let first = inside.first, 2 * inside.count >= 3 * samples.count else { return nil }
    for (path, value) in records[first].values where value.isName {
      let names = Set(inside.compactMap { records[$0][path]?.string })
      guard (2...4).contains(names.count) else { continue }
      let covered = names.map { name in
        (name, Set(inside.filter { records[$0][path]?.string == name }.compactMap { shown[$0] }))
      }
      guard covered.allSatisfy({ 2 * $0.1.count > samples.count }) else { continue }
      // The last kind of line of the first sample shows its effect.
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
