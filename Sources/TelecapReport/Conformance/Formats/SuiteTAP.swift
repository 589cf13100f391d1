import TelecapConformance
import TelecapRecording
import TelecapText

/// A suite in the Test Anything Protocol, version 14: a test point for each scenario, with a block of YAML after those
/// that did not pass.
///
/// `# SKIP` marks scenarios without a verdict that do not fail the suite, `# TODO` a failed `should`, which does not fail it
/// either: a harness counts neither as a failure, nor as a plain pass.
public enum SuiteTAP {
  /// The whole stream.
  public static func text(_ report: SuiteReport) -> String {
    var lines = ["TAP version 14", "1..\(report.result.scenarios.count)"]
    lines += report.notices.map { "# \(Escaping.tap($0))" }
    for (index, scenario) in report.result.scenarios.enumerated() {
      lines.append(point(scenario, number: index + 1, report))
      if scenario.outcome != .passed { lines += block(scenario, report) }
    }
    return (lines + ["# \(Escaping.tap(SuiteCounts(report).words))", ""]).joined(separator: "\n")
  }

  private static func point(_ scenario: ScenarioResult, number: Int, _ report: SuiteReport) -> String {
    let name = "\(number) - \(Escaping.tap(scenario.scenario.id))"
    let reason = Escaping.tap(scenario.shown.reason)
    switch scenario.outcome {
    case .passed: return "ok \(name)"
    case .failed, .broken:
      return report.counts(scenario) ? "not ok \(name)" : "not ok \(name) # TODO only should"
    case .inconclusive:
      return report.counts(scenario) ? "not ok \(name)" : "ok \(name) # SKIP inconclusive: \(reason)"
    case .unsupported, .notRun: return "ok \(name) # SKIP \(scenario.outcome.words): \(reason)"
    }
  }

  /// Keys and values of a test point; every value is a JSON string, which YAML reads the same.
  private static func block(_ scenario: ScenarioResult, _ report: SuiteReport) -> [String] {
    let shown = scenario.shown
    var rows = [
      ("verdict", scenario.verdict.rawValue), ("level", scenario.level), ("message", scenario.sentence),
      ("source", scenario.requirement.source), ("case", shown.case.description), ("cases", scenario.tally),
    ]
    if !shown.reason.isEmpty { rows.append(("reason", shown.reason)) }
    if let breach = shown.breaches.first {
      rows += [("at", scenario.place(of: breach)), ("expected", breach.expected), ("observed", breach.observed)]
    }
    if let faults = report.shrunk[scenario.scenario.id] { rows.append(("shrunk", faults)) }
    if scenario.isRepeatable { rows.append(("repeat", report.command(repeating: scenario))) }
    return ["  ---"] + rows.map { "  \($0.0): \(Escaping.yamlJSON($0.1))" } + ["  ..."]
  }
}
