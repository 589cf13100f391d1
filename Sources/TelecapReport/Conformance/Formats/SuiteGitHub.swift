import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// A suite as workflow commands of GitHub Actions (GitHub Docs, Workflow commands: Setting an error message). A failure appears
/// on the lines of its scenario, or of the protocol file that it follows from; errors of a system file appear on its lines.
public enum SuiteGitHub {
  /// A line for each.
  public static func text(_ report: SuiteReport) -> String {
    let mapping = report.result.mapping
    let placed = mapping?.placedNotices ?? []
    let others = report.notices.filter { words in !placed.contains { $0.words == words } }
    let notices =
      placed.map { command("warning", mapping?.file, $0.line, "telecap", $0.words) }
      + others.map { command("warning", nil, nil, "telecap", $0) }
    return (notices + report.troubles.map { trouble($0, report) }).map { $0 + "\n" }.joined()
  }

  private static func trouble(_ scenario: ScenarioResult, _ report: SuiteReport) -> String {
    let shown = scenario.shown
    var lines = ["\(scenario.outcome.words), \(scenario.level): \(scenario.sentence) [\(scenario.requirement.source)]"]
    lines += shown.breaches.map { "\(scenario.place(of: $0)): expected \($0.expected), observed \($0.observed)" }
    if !shown.reason.isEmpty { lines.append(shown.reason) }
    if scenario.isRepeatable { lines.append("repeat: \(report.command(repeating: scenario))") }
    let place = place(of: scenario)
    return command(
      report.counts(scenario) ? "error" : "warning", place?.file, place?.line, scenario.scenario.id,
      lines.joined(separator: "\n"))
  }

  /// The step of the scenario after which it broke, or what declares it.
  private static func place(of scenario: ScenarioResult) -> (file: String, line: Int)? {
    let ran = scenario.ran
    if !ran.file.isEmpty {
      let broke = scenario.shown.breaches.first?.time ?? .zero
      let steps = ran.steps.filter { $0.time <= broke }
      return (ran.file, max(1, steps.max { $0.time < $1.time }?.line ?? 1))
    }
    guard let owner = ran.setup.part.role?.owner, let file = owner.file else { return nil }
    return (file, line(of: scenario.requirement.id, in: owner.declaration))
  }

  /// An error of a YAML file, at its line and column.
  public static func text(_ error: YAMLFileError) -> String {
    command("error", error.file, error.line, column: error.column, "telecap", error.problem) + "\n"
  }

  /// Where the text of a protocol declares what a requirement is about: `dsu.pad.clamp-high` the stream `pad`, `dsu.header.magic`
  /// the field of the header, `dsu.robust.mutations` the streams that must survive.
  static func line(of id: String, in declaration: String) -> Int {
    let words = id.split(separator: ".").map(String.init)
    let lines = declaration.split(separator: "\n", omittingEmptySubsequences: false)
    let word = words.count > 1 ? words[1] : ""
    let place =
      row(named: word, under: "streams", in: lines)
      ?? (words.count > 2 ? row(named: words[2], under: word, in: lines) : nil)
      ?? key(word, in: lines) ?? key("streams", in: lines)
    return (place ?? 0) + 1
  }

  /// The line of a key at the top level of the file.
  private static func key(_ word: String, in lines: [Substring]) -> Int? {
    lines.firstIndex { $0.hasPrefix("\(word):") }
  }

  /// The line of an entry of this name below a key: `- name: pad`, `- {name: magic, …}`.
  private static func row(named name: String, under word: String, in lines: [Substring]) -> Int? {
    guard let key = key(word, in: lines) else { return nil }
    let behind = lines[(key + 1)...]
    let end = behind.firstIndex { $0.first?.isLetter == true } ?? behind.endIndex
    return lines[key..<end].firstIndex { line in
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      return words.drop { $0 == "-" }.prefix(2) == ["name", name[...]]
    }
  }

  private static func command(
    _ level: String, _ file: String?, _ line: Int?, column: Int? = nil, _ title: String, _ message: String
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=\(Escaping.workflowProperty(file))") }
    if let line { properties.append("line=\(line)") }
    if let column { properties.append("col=\(column)") }
    properties.append("title=\(Escaping.workflowProperty(title))")
    return "::\(level) \(properties.joined(separator: ","))::\(Escaping.workflow(message))"
  }
}
