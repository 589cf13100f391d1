import TelecapRecording
import TelecapText

/// What the rules of a system file made of the lines that its program printed, in one run or in all of a suite: what says
/// whether a verdict that rests on a rule can be trusted.
public struct MappingStatistics: Sendable {
  /// The file, as errors name it.
  public let file: String
  /// What each rule made of them, in the order of the file.
  public var rules: [RuleUse]
  /// Lines that came from where the program shows what it does, and that no rule knew.
  public var unknown = Lines()
  /// Lines that came when the run was over, as where a program holds its output back until it ends.
  public var late = Lines()
  /// Lines of which no rule can read an event, by what is wrong with them.
  public var unreadable: [Malformed: Lines] = [:]

  /// How its lines came.
  public var timing = OutputTiming()

  /// The carrier of the run; nil where it is not known, or these are several.
  private var ranOver: Carrier?
  /// The carriers of right sessions, over each of which what is applied is shown.
  private var checked: Set<Carrier> = []

  /// A longer line is cut, in bytes.
  public static let longestLine = 64 << 10

  /// What can be wrong with a line.
  public enum Malformed: String, Sendable, CaseIterable {
    /// It holds more objects than are read.
    case many = "holds more than 1024 objects"
    /// It begins like one.
    case noJSON = "begins like a JSON object and is none"
    /// It was too long.
    case cut = "is longer than 64 KiB and was cut"

    /// The same of several lines.
    var ofMany: String {
      switch self {
      case .many: "hold more than 1024 objects"
      case .noJSON: "begin like a JSON object and are none"
      case .cut: "are longer than 64 KiB and were cut"
      }
    }
  }

  /// Lines of one kind.
  public struct Lines: Hashable, Sendable {
    /// How many.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var first = ""
    /// What was wrong with it; empty where nothing was.
    public private(set) var why = ""

    /// None.
    public init() {}

    /// One more.
    mutating func note(_ line: String, why: String = "") {
      if count == 0 { (first, self.why) = (line, why) }
      count += 1
    }

    mutating func merge(_ other: Lines) {
      if count == 0 { (first, why) = (other.first, other.why) }
      count += other.count
    }
  }

  /// What one rule made of them.
  public struct RuleUse: Sendable {
    /// The rule.
    public let rule: EventRule
    /// Lines that became an event.
    public internal(set) var matched = Lines()
    /// Lines that it matched and of which a field could not be read.
    public internal(set) var unread = Lines()
    /// Poses and strengths that it read and that nobody had sent.
    public internal(set) var unmatchedValues = Lines()
    /// Lines whose values could only be what was sent: 0 is 0 in every unit.
    var confirmed = 0
    /// Of its numbers how what was shown compares with what was sent.
    var compared: [String: Comparison] = [:]
    /// Of what the file may have confused how what was shown compares with what was sent.
    var exchanges: [FieldSwap: FieldSwap.Seen] = [:]
    /// The carriers over which it matched a line.
    var carriers: Set<Carrier> = []
    /// Lines that it would have matched, printed where `from` does not look.
    public internal(set) var elsewhere = Lines()
    /// The line that no rule knew and that holds most of what it looks for.
    var near = Nearest()
    /// For each of its fields how often it was found, and the first value.
    public internal(set) var fields: [String: Lines] = [:]
    /// For each of its numbers the precision with which the program printed it at most.
    public internal(set) var printed: [String: PrintedPrecision] = [:]

    init(_ rule: EventRule) { self.rule = rule }

    /// How many lines it matched, whatever became of them.
    var hits: Int { matched.count + unread.count + unmatchedValues.count }

    /// The fields that the file says where they stand, and others that it cannot do without, in order.
    public var named: [String] { rule.needed { fields[$0] != nil } }
  }

  /// How a number of what is shown compares with the same of what was sent: of a count how far it went.
  struct Comparison: Sendable {
    /// It is a number by itself, and not how far something went.
    var isValue = true
    /// How often it was the same.
    private(set) var right = 0
    /// How many times as much it was otherwise, the first time.
    private(set) var ratio = 1.0
    /// The lines that show this ratio, and those that show another.
    private(set) var scaled = Lines()
    private(set) var other = Lines()

    /// It was never the same: it is shown in another unit or the other way, or something else stands there. A count may have
    /// gone astray; then it was not the same number of times as much.
    var isWrong: Bool { right == 0 && (scaled.count > 1 || (isValue && scaled.count + other.count > 1)) }

    /// The first line that shows it.
    var first: String { scaled.first }

    mutating func note(_ shown: Double, of sent: Double, isSame: Bool, _ line: String) {
      // 0 is 0 in every unit.
      if sent == 0 || shown == 0 { return }
      if isSame { return right += 1 }
      if scaled.count == 0 { ratio = shown / sent }
      let isScaled = (shown / sent - ratio).magnitude <= 1e-3 * ratio.magnitude
      if isScaled { scaled.note(line) } else { other.note(line) }
    }

    mutating func merge(_ more: Comparison) {
      right += more.right
      if scaled.count == 0 { ratio = more.ratio }
      let isScaled = (ratio - more.ratio).magnitude <= 1e-3 * ratio.magnitude
      if isScaled { scaled.merge(more.scaled) } else { other.merge(more.scaled) }
      other.merge(more.other)
    }
  }

  /// Of the lines that no rule knew the first of those that come nearest to one.
  struct Nearest: Sendable {
    private(set) var line = ""
    private(set) var nearness = 0

    mutating func note(_ line: String, nearness: Int) {
      if nearness > self.nearness { (self.line, self.nearness) = (line, nearness) }
    }
  }

  /// A rule, or a field of one, that something may be judged by.
  public struct RulePart: Hashable, Sendable {
    /// The place of the rule among the rules, from 0.
    public var rule: Int
    /// The field; nil for the rule itself.
    public var field: String?
    /// The carrier over which it is; nil for all.
    public var carrier: Carrier?

    /// By which they are in order.
    fileprivate var place: (Int, String, String) { (rule, field ?? "", carrier?.name ?? "") }
  }

  /// The rules of a file, of which nothing is known yet.
  public init(_ rules: [EventRule], file: String) {
    self.rules = rules.map(RuleUse.init)
    self.file = file
  }

  /// Adds what they made of the lines of another run.
  public mutating func merge(_ other: MappingStatistics) {
    for (index, use) in other.rules.enumerated() where rules.indices.contains(index) {
      rules[index].matched.merge(use.matched)
      rules[index].unread.merge(use.unread)
      rules[index].unmatchedValues.merge(use.unmatchedValues)
      rules[index].confirmed += use.confirmed
      rules[index].compared.merge(use.compared) { mine, others in
        var both = mine
        both.merge(others)
        return both
      }
      rules[index].exchanges.merge(use.exchanges) { mine, others in
        var both = mine
        both.merge(others)
        return both
      }
      rules[index].carriers.formUnion(use.carriers)
      rules[index].elsewhere.merge(use.elsewhere)
      rules[index].near.note(use.near.line, nearness: use.near.nearness)
      rules[index].fields.merge(use.fields) { mine, others in
        var both = mine
        both.merge(others)
        return both
      }
    }
    mergeManner(of: other)
    checked.formUnion(other.checked)
    unknown.merge(other.unknown)
    late.merge(other.late)
    for (problem, lines) in other.unreadable { unreadable[problem, default: Lines()].merge(lines) }
  }

  /// Takes over how a program printed in another run: with which precision its numbers, and how soon its lines.
  public mutating func mergeManner(of other: MappingStatistics) {
    timing.merge(other.timing)
    for (index, use) in other.rules.enumerated() where rules.indices.contains(index) {
      rules[index].printed.merge(use.printed) { mine, others in
        var both = mine
        both.merge(others)
        return both
      }
    }
  }

  /// Rules that matched no line, and fields of the others that were in none: nothing says yet that they are right.
  public var idle: Set<RulePart> {
    var idle: Set<RulePart> = []
    for (index, use) in rules.enumerated() where !use.rule.isOurs {
      if use.matched.count == 0 || (use.unmatchedValues.count > 0 && use.confirmed == 0) {
        idle.insert(RulePart(rule: index))
      }
      // Where no line could be read, that is told.
      guard use.matched.count + use.unmatchedValues.count > 0 || !use.fields.isEmpty else { continue }
      for field in use.named where use.fields[field] == nil { idle.insert(RulePart(rule: index, field: field)) }
      for (field, found) in use.compared where found.isWrong { idle.insert(RulePart(rule: index, field: field)) }
      if let confused = use.confused { idle.insert(RulePart(rule: index, field: confused.exchange.field)) }
      for carrier in checked where use.matched.count > 0 && isSilent(use.rule, over: carrier) {
        idle.insert(RulePart(rule: index, carrier: carrier))
      }
    }
    return idle
  }

  /// All of it was printed in a run over this carrier; in a right session, if `isRight`.
  public mutating func ran(over carrier: Carrier, isRight: Bool = false) {
    for index in rules.indices where rules[index].matched.count > 0 { rules[index].carriers.insert(carrier) }
    if isRight { checked.insert(carrier) }
    ranOver = carrier
  }

  /// No rule of its kind matched a line over this carrier. When sessions open and close is told in other ways over each.
  private func isSilent(_ rule: EventRule, over carrier: Carrier) -> Bool {
    rule.kind.isOverEachCarrier
      && !rules.contains { $0.rule.kind == rule.kind && $0.carriers.contains(carrier) }
  }

  /// These, and numbers that were never seen to be what was sent, be it that nothing was sent by which they show: of one run,
  /// which may say too little.
  var unconfirmed: Set<RulePart> {
    var parts = idle
    for (index, use) in rules.enumerated() where [.messages, .counts].contains(use.rule.stream?.showing) {
      for field in use.rule.knownFields where use.compared[field]?.right ?? 0 == 0 {
        parts.insert(RulePart(rule: index, field: field))
      }
    }
    for (index, use) in rules.enumerated() {
      for exchange in FieldSwap.all(of: use.rule) where use.exchanges[exchange]?.asSent ?? 0 == 0 {
        parts.insert(RulePart(rule: index, field: exchange.field))
      }
      if let ranOver, isSilent(use.rule, over: ranOver) { parts.insert(RulePart(rule: index, carrier: ranOver)) }
    }
    return parts
  }
}

// MARK: - Words

extension MappingStatistics {
  /// Something that is wrong with the rules: a sentence, with the first line that shows it.
  public struct Notice: Hashable, Sendable {
    /// The line of the system file that it is about; nil where it is no rule of the file.
    public var line: Int?
    /// What is wrong.
    public var words: String
  }

  /// All that is wrong with the rules and with how the lines came, a sentence each; nothing where they are right.
  public var notices: [String] { placedNotices.map(\.words) }

  /// The same, each with the line of the file that it is about.
  public var placedNotices: [Notice] {
    func notice(_ use: RuleUse, _ words: String) -> Notice {
      Notice(line: use.rule.isOurs ? nil : use.rule.line, words: words)
    }
    var notices = idle.sorted { $0.place < $1.place }
      .map { notice(rules[$0.rule], words($0)) }
    for use in rules {
      // Of one that matched nothing else it is told already.
      if use.unread.count > 0, use.matched.count + use.unmatchedValues.count > 0 {
        notices.append(notice(use, words(unread: use)))
      }
      if use.unmatchedValues.count > 0, use.confirmed > 0 { notices.append(notice(use, words(unmatchedValues: use))) }
      if use.elsewhere.count > 0, use.matched.count > 0 { notices.append(notice(use, words(elsewhere: use))) }
    }
    for problem in Malformed.allCases {
      guard let lines = unreadable[problem] else { continue }
      let reason = lines.why.isEmpty ? "" : " (\(lines.why))"
      let words = lines.count == 1 ? problem.rawValue : problem.ofMany
      notices.append(
        Notice(
          line: nil,
          words:
            "\(MappingStatistics.count(lines)) \(words)\(reason); the first: \(MappingStatistics.quoted(lines.first))"))
    }
    if timing.isHeldBack { notices.append(Notice(line: nil, words: timing.words)) }
    return notices
  }

  /// Why nothing can be judged by this, which is idle.
  func words(_ part: RulePart) -> String {
    let use = rules[part.rule]
    if let carrier = part.carrier {
      return "no line matched \(name(use)) over \(carrier.name), though some did otherwise; \(printed(for: use))"
    }
    if let field = part.field, let found = use.compared[field], found.isWrong { return words(found, field, use) }
    if let (exchange, seen) = use.confused, exchange.field == part.field {
      return
        "\(name(use)) showed \(exchange.words), in \(MappingStatistics.count(seen.exchanged)): the file may have confused "
        + "them; the first: \(MappingStatistics.quoted(seen.exchanged.first))"
    }
    if let field = part.field {
      let path = use.rule.source(of: field).path.joined(separator: ".")
      let line = [use.matched, use.unread, use.unmatchedValues].first { $0.count > 0 }?.first ?? ""
      return
        "\(name(use)) never found \"\(field)\": there is nothing at \(path); it printed: \(MappingStatistics.quoted(line))"
    }
    if use.unmatchedValues.count > 0 { return words(unmatchedValues: use) }
    if use.unread.count > 0 { return words(unread: use) }
    if use.elsewhere.count > 0 { return words(elsewhere: use) }
    return "no line of the program matched \(name(use)); \(printed(for: use))"
  }

  /// Why a number that never was what was sent cannot be trusted.
  private func words(_ found: Comparison, _ field: String, _ use: RuleUse) -> String {
    let line = "the first: \(MappingStatistics.quoted(found.first))"
    guard found.other.count == 0 || !found.isValue else {
      return "\(name(use)) never showed the \"\(field)\" that was sent: something else stands at "
        + "\(use.rule.source(of: field).path.joined(separator: ".")); \(line)"
    }
    let factor = MappingStatistics.short(found.ratio)
    let what =
      found.isValue
      ? "showed \"\(field)\" as \(factor) times what was sent"
      : "showed \"\(field)\" go \(factor) times as far as it was moved"
    return "\(name(use)) \(what), in \(MappingStatistics.count(found.scaled)): name its unit by \"times\"; \(line)"
  }

  /// That no rule which shows a stream reads these fields, though one of them matched a line; nil where each was found.
  func lack(of fields: [String], _ stream: JudgedStream) -> String? {
    let uses = rules.filter { $0.rule.reads(stream) && $0.matched.count > 0 }
    let absent = fields.filter { field in uses.allSatisfy { $0.fields[field] == nil } }
    guard !uses.isEmpty, !absent.isEmpty else { return nil }
    let names = absent.map { "\"\($0)\"" }.list(or: true)
    return "no rule of \(file) reads \(names), without which this cannot be judged"
  }

  /// A ratio with four digits: `1000`, `-1`, `0.0007321`.
  private static func short(_ ratio: Double) -> String {
    let decimals = (0..<9).first { (0..<$0).reduce(ratio.magnitude) { value, _ in value * 10 } >= 999.5 } ?? 9
    let text = Numbers.fixed(ratio, decimals)
    guard text.contains(".") else { return text }
    let kept = text.reversed().drop { $0 == "0" }
    return String((kept.first == "." ? kept.dropFirst() : kept).reversed())
  }

  /// What it printed that could have been meant.
  private func printed(for use: RuleUse) -> String {
    if use.near.nearness > 0 { return "it printed: \(MappingStatistics.quoted(use.near.line))" }
    let lines = Malformed.allCases.compactMap { unreadable[$0] } + [unknown]
    guard let line = lines.first(where: { $0.count > 0 })?.first else {
      if rules.contains(where: { $0.hits > 0 }) { return "it printed no line that no rule matched" }
      return late.count == 0
        ? "it printed nothing there"
        : "it printed \(MappingStatistics.count(late)) only when it was told to end: have it flush its output after each line; the first: "
          + MappingStatistics.quoted(late.first)
    }
    return "it printed: \(MappingStatistics.quoted(line))"
  }

  /// Why what this rule says cannot be trusted.
  func words(unread use: RuleUse) -> String {
    "\(name(use)) matched \(MappingStatistics.count(use.unread)) that it could not read: \(use.unread.why); the first: "
      + MappingStatistics.quoted(use.unread.first)
  }

  private func words(unmatchedValues use: RuleUse) -> String {
    "\(name(use)) showed a \(use.rule.name) that nobody had sent, in \(MappingStatistics.count(use.unmatchedValues)); the first: "
      + MappingStatistics.quoted(use.unmatchedValues.first)
  }

  private func words(elsewhere use: RuleUse) -> String {
    "\(MappingStatistics.count(use.elsewhere)) that \(name(use)) knows came from where \"from\" does not look; the first: "
      + MappingStatistics.quoted(use.elsewhere.first)
  }

  /// `the rule "pose" (line 14 of host.yaml)`.
  public func name(_ use: RuleUse) -> String {
    use.rule.isOurs
      ? "the event \"\(use.rule.name)\"" : "the rule \"\(use.rule.name)\" (line \(use.rule.line) of \(file))"
  }

  private static func count(_ lines: Lines) -> String { lines.count == 1 ? "1 line" : "\(lines.count) lines" }

  /// A line as a report shows it: not more than people read.
  public static func quoted(_ line: String) -> String { line.count > 200 ? line.prefix(200) + "…" : line }
}
