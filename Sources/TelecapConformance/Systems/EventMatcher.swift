import TelecapText

/// Finds by the rules of a system file what in the lines that its program printed is an event, and keeps what each rule made
/// of them.
struct EventMatcher {
  let rules: [EventRule]
  private let patterns: [CompiledPattern?]
  private let exchanges: [[FieldSwap]]
  /// What became of the lines so far.
  private(set) var mapping: MappingStatistics

  /// An object that a rule matches.
  struct Found {
    /// The place of the rule.
    let rule: Int
    let object: JSONNode
    let line: String
  }

  /// What became of one.
  enum Fate {
    /// It became an event, and `isConfirmed` says that its values could only be what was sent.
    case matched(isConfirmed: Bool)
    /// It became one that nobody had sent.
    case stranger
    /// Why it could not be read.
    case unread(String)
  }

  init(_ rules: [EventRule], file: String) {
    self.rules = rules
    patterns = rules.map { $0.pattern?.compiled() }
    exchanges = rules.map(FieldSwap.all)
    mapping = MappingStatistics(rules, file: file)
  }

  /// What a line holds that a rule knows, in the order in which it stands there: each object of it, and by a rule for text
  /// the whole line.
  /// - Parameter isShown: it came from where the program shows what it does; otherwise it is no event.
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

  /// What a rule for text finds in a line; keeps that its pattern takes too long.
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

  /// Keeps a line that came when the run was over.
  mutating func noteLate(_ line: some Collection<UInt8>) { mapping.late.note(String(decoding: line, as: UTF8.self)) }

  private mutating func noteUnknown(_ text: String, _ object: JSONNode?) {
    mapping.unknown.note(text)
    for index in rules.indices {
      mapping.rules[index].near.note(text, nearness: rules[index].nearness(of: text, object))
    }
  }

  /// Keeps what stands in the fields; what is wrong with one of them, nil where nothing is.
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

  /// Keeps what became of it.
  mutating func note(_ found: Found, _ fate: Fate) {
    switch fate {
    case .matched(let isConfirmed):
      mapping.rules[found.rule].matched.note(found.line)
      if isConfirmed { mapping.rules[found.rule].confirmed += 1 }
    case .stranger: mapping.rules[found.rule].unmatchedValues.note(found.line)
    case .unread(let why): mapping.rules[found.rule].unread.note(found.line, why: why)
    }
  }

  /// Keeps how codes that it shows compare with those that were sent.
  mutating func compare(_ found: Found, _ shown: [Int], with sent: [Int]) {
    for exchange in exchanges[found.rule] {
      mapping.rules[found.rule].exchanges[exchange, default: .init()].note(shown, sent, by: exchange, found.line)
    }
  }

  /// Keeps how a number that it shows compares with what was sent.
  mutating func compare(_ found: Found, _ field: String, _ shown: Double, with sent: Double, isSame: Bool) {
    let none = MappingStatistics.Comparison(isValue: rules[found.rule].stream?.showing == .messages)
    mapping.rules[found.rule].compared[field, default: none].note(shown, of: sent, isSame: isSame, found.line)
  }
}
