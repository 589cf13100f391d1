import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText

/// A suite as JUnit's XML: one `testsuite`, a `testcase` a scenario. Valid against the schema of Ant's JUnit task and that
/// of Jenkins' xUnit plugin, which most CI systems read.
///
/// `failure` is a failed requirement. `error` is a run that broke, or an inconclusive `must`. `skipped` is a scenario that is
/// unsupported or was not run, or an inconclusive `should`.
public enum SuiteJUnit {
  /// The whole file.
  public static func text(_ report: SuiteReport) -> String {
    let scenarios = report.result.scenarios
    let marks = scenarios.map { Mark($0, report) }
    func count(_ element: String) -> String { "\(marks.count { $0?.element == element })" }
    let suite = attributes([
      ("name", "telecap conform \(report.result.system)"), ("package", "telecap"), ("id", "0"),
      ("timestamp", CalendarTime.text(report.began)), ("hostname", report.host), ("tests", "\(scenarios.count)"),
      ("failures", count("failure")), ("errors", count("error")), ("skipped", count("skipped")),
      ("time", seconds(report.result.duration)),
    ])
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>", "  <testsuite\(suite)>", "    <properties>",
    ]
    let properties = [
      ("system", report.result.system), ("command", Escaping.shellCommand(report.command)),
      ("tool", report.tool),
      ("strict", "\(report.isStrict)"),
    ]
    for (name, value) in properties {
      lines.append("      <property\(attributes([("name", name), ("value", value)]))/>")
    }
    for notice in report.notices {
      lines.append("      <property\(attributes([("name", "notice"), ("value", notice)]))/>")
    }
    lines.append("    </properties>")
    for (scenario, mark) in zip(scenarios, marks) { lines += testCase(scenario, mark, report) }
    let output = scenarios.filter { report.counts($0) }.flatMap(outputLines)
    lines.append("    <system-out>\(Escaping.markup(output.joined(separator: "\n")))</system-out>")
    return (lines + ["    <system-err></system-err>", "  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  /// The element inside a test case that did not pass.
  private struct Mark {
    var element: String
    /// Of `failure` and `error`.
    var type: String
    var message: String

    init?(_ scenario: ScenarioResult, _ report: SuiteReport) {
      let shown = scenario.shown
      type = scenario.requirement.level.rawValue
      message = shown.reason
      switch scenario.outcome {
      case .passed: return nil
      case .failed:
        element = "failure"
        if let breach = shown.breaches.first {
          message = "expected \(breach.expected), observed \(breach.observed)"
        }
      case .broken:
        element = "error"
        type = "broken"
        if message.isEmpty { message = shown.breaches.first?.observed ?? "the system broke" }
      case .inconclusive:
        element = report.counts(scenario) ? "error" : "skipped"
        type = "inconclusive"
      case .unsupported, .notRun:
        element = "skipped"
        type = scenario.verdict.rawValue
      }
    }
  }

  private static func testCase(_ scenario: ScenarioResult, _ mark: Mark?, _ report: SuiteReport) -> [String] {
    let opening = attributes([
      ("name", scenario.scenario.id), ("classname", "telecap.\(scenario.requirement.id)"),
      ("time", seconds(scenario.duration)),
    ])
    guard let mark else { return ["    <testcase\(opening)/>"] }
    // `type` belongs to `failure` and `error`: a `skipped` has a message only.
    let type = mark.element == "skipped" ? [] : [("type", mark.type)]
    let inner = attributes([("message", mark.message)] + type)
    let body = Escaping.markup(details(scenario, report).joined(separator: "\n"))
    return [
      "    <testcase\(opening)>", "      <\(mark.element)\(inner)>\(body)</\(mark.element)>", "    </testcase>",
    ]
  }

  /// The details for a reader of the CI's page, as text.
  private static func details(_ scenario: ScenarioResult, _ report: SuiteReport) -> [String] {
    let shown = scenario.shown
    var lines = ["\(scenario.level): \(scenario.sentence)", "source: \(scenario.requirement.source)"]
    for breach in shown.breaches {
      lines.append("\(scenario.place(of: breach)): expected \(breach.expected), observed \(breach.observed)")
    }
    if !shown.reason.isEmpty { lines.append(shown.reason) }
    lines.append("cases: \(scenario.tally); shown is \(shown.case)")
    if let faults = report.shrunk[scenario.scenario.id] { lines.append(faults) }
    if let path = report.artifacts[scenario.scenario.id] { lines.append("files: \(path)") }
    return lines + ["repeat: \(report.command(repeating: scenario))"]
  }

  /// The output of the system, cut to a limit.
  private static func outputLines(_ scenario: ScenarioResult) -> [String] {
    let output = scenario.shown.log?.entries.compactMap { entry in
      if case .output(let line) = entry.what { line } else { nil as String? }
    }
    guard let output, !output.isEmpty else { return [] }
    return ["== \(scenario.scenario.id)"] + output.suffix(50)
  }

  private static func attributes(_ list: [(String, String)]) -> String {
    list.map { " \($0.0)=\"\(Escaping.attribute($0.1))\"" }.joined()
  }

  /// With three decimals: schemas take no more.
  private static func seconds(_ nanoseconds: Nanoseconds) -> String { Numbers.fixed(Double(nanoseconds) / 1e9, 3) }
}
