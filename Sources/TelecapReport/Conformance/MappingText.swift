import TelecapConformance
import TelecapText

/// The values and events that the rules of a system file read from its program's output: `conform --check` shows them, and every
/// report shows at its top those that are wrong.
public struct MappingText: PrintedResult {
  private let check: SystemCheck

  /// The text of a check.
  public init(_ check: SystemCheck) { self.check = check }

  /// For each rule and each of its fields how many lines it matched, with the first; and what is wrong.
  public var lines: [String] {
    var lines = check.mapping.rules.flatMap { use -> [String] in
      let name = use.rule.isOurs ? use.rule.name : "\(use.rule.name) (line \(use.rule.line))"
      return [MappingText.row(name, use.matched)] + MappingText.fields(of: use).map { "  " + MappingText.row($0, $1) }
    }
    if check.mapping.rules.isEmpty {
      lines.append("\(check.mapping.file) has no rules: the system is tested from its traffic only")
    }
    lines += check.mapping.notices.map { "wrong: \($0)" }
    if let undone = check.undone { lines.append("wrong: \(undone)") }
    if let broke = check.broke { lines.append("broken: \(broke)") }
    return lines.map(\.printable)
  }

  /// The same as one object of JSON.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    MappingText.put(check.mapping, in: &json)
    if let undone = check.undone { json.put("undone", undone) }
    if let broke = check.broke { json.put("broke", broke) }
    json.put("right", check.isRight)
    json.endObject()
    json.endLine()
  }

  /// The members of the object about a mapping.
  static func put(_ mapping: MappingStatistics, in json: inout JSONWriter) {
    json.put("file", mapping.file)
    json.beginArray("rules")
    for use in mapping.rules {
      json.beginObject()
      json.put("is", use.rule.name)
      json.put("line", use.rule.line)
      put(use.matched, in: &json)
      json.put("unread", use.unread.count)
      json.beginArray("fields")
      for (name, lines) in fields(of: use) {
        json.beginObject()
        json.put("name", name)
        put(lines, in: &json)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.put("notices", texts: mapping.notices)
  }

  private static func put(_ lines: MappingStatistics.Lines, in json: inout JSONWriter) {
    json.put("matched", lines.count)
    if lines.count > 0 { json.put("first", lines.first) }
  }

  /// The fields that the file names, and those that were found without.
  private static func fields(of use: MappingStatistics.RuleUse) -> [(String, MappingStatistics.Lines)] {
    use.rule.knownFields.filter { use.named.contains($0) || (use.fields[$0] != nil && use.rule.fields[$0] == nil) }
      .map { ($0, use.fields[$0] ?? MappingStatistics.Lines()) }
  }

  private static func row(_ name: String, _ lines: MappingStatistics.Lines) -> String {
    let times = lines.count == 1 ? "once" : "\(Numbers.grouped(lines.count)) times"
    return "\(name): "
      + (lines.count == 0 ? "never" : "matched \(times), first: \(MappingStatistics.quoted(lines.first))")
  }
}

extension SuiteReport {
  /// Errors in how the system's output is read, in how it is made to act, and in the clock, a sentence each, for the top of the
  /// report.
  var notices: [String] {
    let jumps = result.scenarios.compactMap { scenario in
      let log = scenario.shown.log
      return (log?.clockJump ?? (scenario.verdict == .inconclusive ? log?.undone : nil)).map {
        "\(scenario.scenario.id): \($0)"
      }
    }
    let broke = result.brokeInCheck.map { "in a short right session, before all scenarios, \($0)" }
    return [brokenOff, broke].compactMap(\.self) + (result.mapping?.notices ?? []) + jumps
  }

  private var brokenOff: String? {
    guard result.isBrokenOff || result.isEndedByFailure else { return nil }
    let left = result.scenarios.count { $0.verdict == .notRun }
    let end = result.isBrokenOff ? "was broken off" : "ended after a failure (--fail-fast)"
    return "the suite \(end): of \(result.scenarios.count) scenarios \(left) were not run, or not to their end"
  }
}
