import TelecapText

/// Matches the lines of a program with the rules of its system file, and keeps statistics for each rule.
struct EventMatcher {
  let rules: [EventRule]
  private let patterns: [CompiledPattern?]
  private let exchanges: [[FieldSwap]]
  /// The statistics so far.
  private(set) var mapping: MappingStatistics

  /// An object that a rule matches.
  struct Found {
    /// The index of the rule.
    let rule: Int
    let object: JSONNode
    let line: String
  }

  /// The result for a matched object.
  enum Fate {
    /// It became an event; `isConfirmed` if its values can only be the sent ones.
    case matched(isConfirmed: Bool)
    /// It became an event with values that were not sent.
    case stranger
    /// It could not be read, for this reason.
    case unread(String)
  }

  init(_ rules: [EventRule], file: String) {
    self.rules = rules
    patterns = rules.map { $0.pattern?.compiled() }
    exchanges = rules.map(FieldSwap.all)
    mapping = MappingStatistics(rules, file: file)
  }

  /// The matches in a line, in order: each object in it, or the whole line for a text rule.
  /// - Parameter isShown: whether the line is from a source of the system file; otherwise it yields no event.
  mutating func find(in line: some Collection<UInt8>, isShown: Bool) -> [Found] {
    let text = String(decoding: line, as: UTF8.self)
    let read = PrintedLine(line)
    var found = rules.indices.compactMap { self.read(text, by: $0, isShown: isShown) }
    let isText = !found.isEmpty
    for (place, object) in read.objects.enumerated() {
      let quoted = read.quoted(place, of: text)
      let known = rules.indices.filter { rules[$0].pattern == nil && rules[$0].matches(object) }
      found += known.map { Found(rule: $0, object: object, line: quoted) }
      if isShown, known.isEmpty, !isText { noteUnknown(quoted, object) }
    }
    guard isShown else {
      for one in found { mapping.rules[one.rule].elsewhere.note(one.line) }
      return []
    }
    if let problem = read.problem, !isText {
      mapping.unreadable[problem, default: MappingStatistics.Lines()].note(text, why: read.why)
    } else if read.objects.isEmpty, !isText {
      noteUnknown(text, nil)
    }
    return found
  }

  /// The match of a text rule in a line. Records a pattern that takes too long.
  private mutating func read(_ text: String, by index: Int, isShown: Bool) -> Found? {
    switch patterns[index]?.read(text) {
    case .object(let node)?: return rules[index].matches(node) ? Found(rule: index, object: node, line: text) : nil
    case .tooLong? where isShown:
      let pattern = rules[index].pattern?.text ?? ""
      mapping.rules[index].unread.note(text, why: "the pattern \"\(pattern)\" takes too long on a line like this")
      return nil
    default: return nil
    }
  }

  /// Records a line from after the end of the run.
  mutating func noteLate(_ line: some Collection<UInt8>) { mapping.late.note(String(decoding: line, as: UTF8.self)) }

  private mutating func noteUnknown(_ text: String, _ object: JSONNode?) {
    mapping.unknown.note(text)
    for index in rules.indices {
      mapping.rules[index].near.note(text, nearness: rules[index].nearness(of: text, object))
    }
  }

  /// Records the values of fields; returns the problem with one of them, or nil.
  mutating func noteFields(of found: Found) -> String? {
    let rule = rules[found.rule]
    for field in rule.knownFields {
      guard let value = rule.source(of: field).written(in: found.object) else { continue }
      mapping.rules[found.rule].fields[field, default: MappingStatistics.Lines()].note(value)
      if let precision = rule.source(of: field).precision(in: found.object) {
        mapping.rules[found.rule].printed[field, default: precision].merge(precision)
      }
    }
    return rule.knownFields.lazy.compactMap { rule.problem(with: $0, in: found.object) }.first
  }

  /// Records the result for a match.
  mutating func note(_ found: Found, _ fate: Fate) {
    switch fate {
    case .matched(let isConfirmed):
      mapping.rules[found.rule].matched.note(found.line)
      if isConfirmed { mapping.rules[found.rule].confirmed += 1 }
    case .stranger: mapping.rules[found.rule].unmatchedValues.note(found.line)
    case .unread(let why): mapping.rules[found.rule].unread.note(found.line, why: why)
    }
  }

  /// Records a comparison of shown and sent codes.
  mutating func compare(_ found: Found, _ shown: [Int], with sent: [Int]) {
    for exchange in exchanges[found.rule] {
      mapping.rules[found.rule].exchanges[exchange, default: .init()].note(shown, sent, by: exchange, found.line)
    }
  }

  /// Records a comparison of a shown and a sent number.
  mutating func compare(_ found: Found, _ field: String, _ shown: Double, with sent: Double, isSame: Bool) {
    let none = MappingStatistics.Comparison(isValue: rules[found.rule].stream?.showing == .messages)
    mapping.rules[found.rule].compared[field, default: none].note(shown, of: sent, isSame: isSame, found.line)
  }
}
