import TelecapConformance
import TelecapRecording
import TelecapWire
import TelecapText

/// A suite on a terminal: a line a scenario while it runs, the failures at the end, and a line that sums up.
public struct SuiteText: Sendable {
  private let style: Style

  /// A formatter in this style.
  public init(style: Style) { self.style = style }

  /// The line of a scenario, to be printed when it has ended.
  public func line(_ scenario: ScenarioResult) -> String {
    let outcome = scenario.outcome
    let badge = colour(outcome, outcome.badge.padded(to: 11))
    let id = scenario.scenario.id.printable.padded(to: 44)
    var line = "\(badge)  \(id)  \(style.dim(scenario.tally))"
    if !scenario.shown.reason.isEmpty, outcome != .passed, outcome != .failed {
      line += "  \(style.dim(scenario.shown.reason.printable))"
    }
    return line
  }

  /// Everything that comes behind the lines: failures, what could not be judged, and the summary.
  public func ending(_ report: SuiteReport) -> [String] {
    var lines = report.notices.flatMap { notice in
      ["", "\(style.severity(.warning, "note"))  \(notice.printable)"]
    }
    for scenario in report.troubles { lines += [""] + failure(scenario, report) }
    return lines + [""] + summary(report)
  }

  private func failure(_ scenario: ScenarioResult, _ report: SuiteReport) -> [String] {
    let outcome = scenario.outcome
    let shown = scenario.shown
    var lines = [
      "\(colour(outcome, outcome.badge))  \(style.bold(scenario.scenario.id.printable))  \(scenario.level)",
      "  \(scenario.sentence.printable) \(style.dim("[\(scenario.requirement.source.printable)]"))",
    ]
    for breach in shown.breaches {
      let place = scenario.place(of: breach)
      if !place.isEmpty { lines.append("  \(place.printable)") }
      lines.append("    expected  \(style.good(breach.expected.printable))")
      lines.append("    observed  \(style.bad(breach.observed.printable))")
    }
    if !shown.reason.isEmpty { lines.append("  \(shown.reason.printable)") }
    lines.append("  cases     \(scenario.tally); shown is \(shown.case.description.printable)")
    for row in shown.impairmentRows {
      lines.append("  network   \(row.asked.printable): \(row.cameOut.printable)")
    }
    for row in shown.measured { lines.append("  measured  \(row.name): \(row.value)") }
    if let faults = report.shrunk[scenario.scenario.id] {
      lines.append("  shrunk    \(style.bold(faults.printable))")
    }
    if let path = report.artifacts[scenario.scenario.id] { lines.append("  files     \(path.printable)") }
    return lines + ["  repeat    \(report.command(repeating: scenario).printable)"]
  }

  private func summary(_ report: SuiteReport) -> [String] {
    let counted = SuiteCounts(report)
    let verdict = colour(report.outcome, report.headline)
    let system = style.bold(report.result.system.printable)
    return [
      "\(verdict)  \(system): \(counted.words); \(counted.casesInWords) in \(Numbers.time(report.result.duration))"
    ]
  }

  private func colour(_ outcome: ScenarioOutcome, _ text: String) -> String {
    switch outcome {
    case .passed: style.good(text)
    case .failed, .broken: style.bad(text)
    case .inconclusive: style.severity(.warning, text)
    case .unsupported, .notRun: style.dim(text)
    }
  }
}

/// How many scenarios of a suite came out how.
struct SuiteCounts {
  private let counts: [ScenarioOutcome: Int]
  /// Failed, broken or inconclusive ones that do not fail the suite: they are only `should`.
  let tolerated: Int
  /// All cases that were run.
  let cases: Int
  /// The same in words: `3,191 cases`.
  var casesInWords: String { cases == 1 ? "1 case" : "\(Numbers.grouped(cases)) cases" }

  init(_ report: SuiteReport) {
    counts = report.result.scenarios.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    tolerated = report.troubles.count { !report.counts($0) }
    // What is judged in every run runs nothing itself.
    cases = report.result.scenarios.reduce(0) { $0 + ($1.scenario.isJudgedInEveryRun ? 0 : $1.casesRun) }
  }

  subscript(outcome: ScenarioOutcome) -> Int { counts[outcome, default: 0] }

  /// `41 passed, 2 failed, 1 inconclusive (1 of them only should)`; what there is none of is left out, but not the
  /// passed.
  var words: String {
    var words = ["\(self[.passed]) passed"]
    for outcome in ScenarioOutcome.allCases where outcome != .passed && self[outcome] > 0 {
      words.append("\(self[outcome]) \(outcome.words)")
    }
    return words.joined(separator: ", ") + (tolerated > 0 ? " (\(tolerated) of them only should)" : "")
  }
}
