import TelecapConformance
import TelecapText

/// A suite in Markdown, for the summary of a CI job or a comment on a change: what failed is open, the rest is folded.
public enum SuiteMarkdown {
  /// GitHub cuts a job's summary at 1 MiB; failures after the first ones get a line each.
  private static let mostDetailed = 50

  /// The whole text.
  public static func text(_ report: SuiteReport) -> String {
    let counts = SuiteCounts(report)
    let system = Escaping.markdown(report.result.system)
    var lines = [
      "## \(report.passes ? "✅" : report.outcome == .failed ? "❌" : "❔") telecap conform: \(system)", "",
      "\(Escaping.markdown(counts.words)); \(counts.casesInWords) in "
        + "\(Numbers.time(report.result.duration)).", "",
    ]
    let notices = report.notices
    if !notices.isEmpty { lines += notices.map { "- ⚠️ \(Escaping.markdown($0))" } + [""] }
    let troubles = report.troubles
    for scenario in troubles.prefix(mostDetailed) { lines += trouble(scenario, report) }
    if troubles.count > mostDetailed {
      lines += ["And \(troubles.count - mostDetailed) more:", ""]
      lines += troubles.dropFirst(mostDetailed).map { "- \(Escaping.markdown($0.scenario.id))" } + [""]
    }
    lines += ["<details><summary>All \(report.result.scenarios.count) scenarios</summary>", ""]
    lines += ["| | scenario | level | cases | requirement |", "|---|---|---|---|---|"]
    for scenario in report.result.scenarios { lines.append(row(scenario)) }
    return (lines + ["", "</details>", ""]).joined(separator: "\n")
  }

  private static func trouble(_ scenario: ScenarioResult, _ report: SuiteReport) -> [String] {
    let shown = scenario.shown
    var lines = [
      "### \(icon(scenario)) \(Escaping.markdown(scenario.scenario.id))", "",
      "**\(scenario.outcome.words)**, \(scenario.level): \(Escaping.markdown(scenario.sentence))"
        + " *\(Escaping.markdown(scenario.requirement.source))*", "",
    ]
    if !shown.breaches.isEmpty {
      lines += ["| when | expected | observed |", "|---|---|---|"]
      for breach in shown.breaches {
        let cells = [scenario.place(of: breach), breach.expected, breach.observed].map(Escaping.markdown)
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
      lines.append("")
    }
    var notes = ["\(Escaping.markdown(scenario.tally)); shown is \(code(shown.case.description))"]
    if !shown.reason.isEmpty { notes.insert(Escaping.markdown(shown.reason), at: 0) }
    if let faults = report.shrunk[scenario.scenario.id] {
      notes.append("**\(Escaping.markdown(faults))**")
    }
    for row in shown.measured { notes.append("\(row.name): \(Escaping.markdown(row.value))") }
    notes.append("repeat with \(code(report.command(repeating: scenario)))")
    return lines + notes.map { "- \($0)" } + [""]
  }

  private static func row(_ scenario: ScenarioResult) -> String {
    let cells = [scenario.scenario.id, scenario.level, scenario.tally, scenario.sentence].map(Escaping.markdown)
    return "| \(icon(scenario)) | \(cells.joined(separator: " | ")) |"
  }

  private static func icon(_ scenario: ScenarioResult) -> String {
    switch scenario.outcome {
    case .passed: "✅"
    case .failed: "❌"
    case .broken: "💥"
    case .inconclusive: "❔"
    case .unsupported, .notRun: "⏭️"
    }
  }

  /// Code as HTML: a span between backticks ends at the first backtick in it.
  private static func code(_ text: String) -> String { "<code>\(Escaping.markdown(text))</code>" }
}
