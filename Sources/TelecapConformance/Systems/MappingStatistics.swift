import TelecapRecording
import TelecapText

/// The matches of a system file's rules in the output, of one run or of a suite. They show whether a verdict may rest
/// on a rule.
public struct MappingStatistics: Sendable {
  /// The name of the file in errors.
  public let file: String
  /// The statistics of each rule, in the order of the file.
  public var rules: [RuleUse]
  /// Lines from a source of the system file that no rule matched.
  public var unknown = Lines()
  /// Lines from after the end of the run, as of a program that buffers its output until it exits.
  public var late = Lines()
  /// Lines that no rule can read, by their problem.
  public var unreadable: [Malformed: Lines] = [:]

  /// The timing of the lines.
  public var timing = OutputTiming()

  /// The transport of the run; nil where it is unknown, or for several runs.
  private var ranOver: Carrier?
  /// The transports of valid check sessions, each of which must show applied values.
  private var checked: Set<Carrier> = []

  /// The length to which a longer line is cut, in bytes.
  public static let longestLine = 64 << 10

  /// The possible problems of a line.
  public enum Malformed: String, Sendable, CaseIterable {
    /// It holds more objects than are read.
    case many = "holds more than 1024 objects"
    /// It begins like JSON and is none.
    case noJSON = "begins like a JSON object and is none"
    /// It was too long.
    case cut = "is longer than 64 KiB and was cut"

    /// The text for several lines.
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
    /// The number of lines.
    public private(set) var count = 0
    /// The first line.
    public private(set) var first = ""
    /// Its problem; empty without one.
    public private(set) var why = ""

    /// No lines.
    public init() {}

    /// Adds a line.
    mutating func note(_ line: String, why: String = "") {
      if count == 0 { (first, self.why) = (line, why) }
      count += 1
    }

    mutating func merge(_ other: Lines) {
      if count == 0 { (first, why) = (other.first, other.why) }
      count += other.count
    }
  }

  /// The statistics of one rule.
  public struct RuleUse: Sendable {
    /// The rule.
    public let rule: EventRule
    /// Lines that became an event.
    public internal(set) var matched = Lines()
    /// Lines that it matched with an unreadable field.
    public internal(set) var unread = Lines()
    /// Poses and strengths that it read and that were not sent.
    public internal(set) var unmatchedValues = Lines()
    /// Lines whose values can only be the sent ones: 0 is 0 in every unit.
    var confirmed = 0
    /// Comparisons of shown and sent numbers, by field.
    var compared: [String: Comparison] = [:]
    /// Comparisons for possible confusions in the file.
    var exchanges: [FieldSwap: FieldSwap.Seen] = [:]
    /// The transports over which it matched a line.
    var carriers: Set<Carrier> = []
    /// Matching lines from sources other than those in `from`.
    public internal(set) var elsewhere = Lines()
    /// The unmatched line that contains most of its names and values.
    var near = Nearest()
    /// The number of values and the first value of each field.
    public internal(set) var fields: [String: Lines] = [:]
    /// The largest printed precision of each number.
    public internal(set) var printed: [String: PrintedPrecision] = [:]

    init(_ rule: EventRule) { self.rule = rule }

    /// The number of lines that it matched.
    var hits: Int { matched.count + unread.count + unmatchedValues.count }

    /// The fields that the file maps, and other required ones, in order.
    public var named: [String] { rule.needed { fields[$0] != nil } }
  }

  /// Comparisons of a shown number with the sent one; for a count, of the movements.
  struct Comparison: Sendable {
    /// Whether it is a single number, not a movement.
    var isValue = true
    /// The number of equal ones.
    private(set) var right = 0
    /// The ratio of the first difference.
    private(set) var ratio = 1.0
    /// The lines with this ratio, and those with another.
    private(set) var scaled = Lines()
    private(set) var other = Lines()

    /// Whether it was never equal: another unit or direction, or another value. A count may also be wrong without a
    /// constant ratio.
    var isWrong: Bool { right == 0 && (scaled.count > 1 || (isValue && scaled.count + other.count > 1)) }

    /// The first line with this ratio.
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

  /// The first of the unmatched lines that come nearest to a match.
  struct Nearest: Sendable {
    private(set) var line = ""
    private(set) var nearness = 0

    mutating func note(_ line: String, nearness: Int) {
      if nearness > self.nearness { (self.line, self.nearness) = (line, nearness) }
    }
  }

  /// A rule, or a field of one, on which a verdict may rest.
  public struct RulePart: Hashable, Sendable {
    /// The index of the rule, from 0.
    public var rule: Int
    /// The field; nil for the rule itself.
    public var field: String?
    /// The transport; nil for all.
    public var carrier: Carrier?

    /// The sort order.
    fileprivate var place: (Int, String, String) { (rule, field ?? "", carrier?.name ?? "") }
  }

  /// The statistics of a file's rules without output.
  public init(_ rules: [EventRule], file: String) {
    self.rules = rules.map(RuleUse.init)
    self.file = file
  }

  /// Adds the statistics of another run.
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

  /// Adds the precision and the timing of another run's output.
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

  /// Rules without a match, and fields of the others without a value: unconfirmed so far.
  public var idle: Set<RulePart> {
    var idle: Set<RulePart> = []
    for (index, use) in rules.enumerated() where !use.rule.isOurs {
      if use.matched.count == 0 || (use.unmatchedValues.count > 0 && use.confirmed == 0) {
        idle.insert(RulePart(rule: index))
      }
      // Unreadable lines are reported separately.
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

  /// Records the transport of a run; of a valid check session, if `isRight`.
  public mutating func ran(over carrier: Carrier, isRight: Bool = false) {
    for index in rules.indices where rules[index].matched.count > 0 { rules[index].carriers.insert(carrier) }
    if isRight { checked.insert(carrier) }
    ranOver = carrier
  }

  /// Whether no rule of its kind matched a line over this transport. Not for sessions, whose output differs between
  /// transports.
  private func isSilent(_ rule: EventRule, over carrier: Carrier) -> Bool {
    rule.kind.isOverEachCarrier
      && !rules.contains { $0.rule.kind == rule.kind && $0.carriers.contains(carrier) }
  }

  /// The idle parts, and numbers that never equalled a sent one, perhaps since none was sent. For one run, which may
  /// not suffice.
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

// MARK: - Text

extension MappingStatistics {
  /// A problem with the rules, as a sentence with the first line that shows it.
  public struct Notice: Hashable, Sendable {
    /// The line in the system file; nil for a problem without a rule of the file.
    public var line: Int?
    /// The problem.
    public var words: String
  }

  /// All problems with the rules and with the timing of lines, a sentence each; empty without any.
  public var notices: [String] { placedNotices.map(\.words) }

  /// The problems with their lines in the file.
  public var placedNotices: [Notice] {
    func notice(_ use: RuleUse, _ words: String) -> Notice {
      Notice(line: use.rule.isOurs ? nil : use.rule.line, words: words)
    }
    var notices = idle.sorted { $0.place < $1.place }
      .map { notice(rules[$0.rule], words($0)) }
    for use in rules {
      // A rule without another match is among the idle ones.
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

  /// The reason why this idle part cannot support a verdict.
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

  /// The reason why a number that never equalled a sent one cannot support a verdict.
  private func words(_ found: Comparison, _ field: String, _ use: RuleUse) -> String {
    let line = "the first: \(MappingStatistics.quoted(found.first))"
    guard found.other.count == 0 || !found.isValue else {
      return "\(name(use)) never showed the \"\(field)\" that was sent: something else is at "
        + "\(use.rule.source(of: field).path.joined(separator: ".")); \(line)"
    }
    let factor = MappingStatistics.short(found.ratio)
    let what =
      found.isValue
      ? "showed \"\(field)\" as \(factor) times what was sent"
      : "showed \"\(field)\" go \(factor) times as far as it was moved"
    return "\(name(use)) \(what), in \(MappingStatistics.count(found.scaled)): name its unit by \"times\"; \(line)"
  }

  /// A sentence that no rule for a stream reads these fields, though one matched a line; nil where each was found.
  func lack(of fields: [String], _ stream: JudgedStream) -> String? {
    let uses = rules.filter { $0.rule.reads(stream) && $0.matched.count > 0 }
    let absent = fields.filter { field in uses.allSatisfy { $0.fields[field] == nil } }
    guard !uses.isEmpty, !absent.isEmpty else { return nil }
    let names = absent.map { "\"\($0)\"" }.list(or: true)
    return "no rule of \(file) reads \(names), without which this cannot be tested"
  }

  /// A ratio with four digits: `1000`, `-1`, `0.0007321`.
  private static func short(_ ratio: Double) -> String {
    let decimals = (0..<9).first { (0..<$0).reduce(ratio.magnitude) { value, _ in value * 10 } >= 999.5 } ?? 9
    let text = Numbers.fixed(ratio, decimals)
    guard text.contains(".") else { return text }
    let kept = text.reversed().drop { $0 == "0" }
    return String((kept.first == "." ? kept.dropFirst() : kept).reversed())
  }

  /// The output that may have been meant.
  private func printed(for use: RuleUse) -> String {
    if use.near.nearness > 0 { return "it printed: \(MappingStatistics.quoted(use.near.line))" }
    let lines = Malformed.allCases.compactMap { unreadable[$0] } + [unknown]
    guard let line = lines.first(where: { $0.count > 0 })?.first else {
      if rules.contains(where: { $0.hits > 0 }) { return "it printed no line that no rule matched" }
      return late.count == 0
        ? "it printed nothing there"
        : "it printed \(MappingStatistics.count(late)) only when it was asked to exit: have it flush its output after each line; the first: "
          + MappingStatistics.quoted(late.first)
    }
    return "it printed: \(MappingStatistics.quoted(line))"
  }

  /// The reason why the output of this rule cannot support a verdict.
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

  /// A line for a report, limited in length.
  public static func quoted(_ line: String) -> String { line.count > 200 ? line.prefix(200) + "…" : line }
}
