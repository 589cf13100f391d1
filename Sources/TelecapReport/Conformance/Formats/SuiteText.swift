import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// A suite on a terminal: with `-v` a line for each scenario when it has ended; then the failures, a summary of them in
/// a line each, and the verdict.
public struct SuiteText: Sendable {
  private let style: Style
  private let verbosity: Verbosity

  /// A formatter in this style.
  public init(style: Style, verbosity: Verbosity = .normal) { (self.style, self.verbosity) = (style, verbosity) }

  /// The line of a scenario that has ended; nil where passes are only counted.
  public func line(_ scenario: ScenarioResult) -> String? {
    guard verbosity == .verbose else { return nil }
    let outcome = scenario.outcome
    var line = "\(badge(outcome))  \(scenario.scenario.id.printable.padded(to: 44))  \(style.dim(scenario.tally))"
    if outcome != .passed, outcome != .failed, !reason(of: scenario).isEmpty {
      line += "  \(style.dim(reason(of: scenario)))"
    }
    return line
  }

  /// The lines after all scenarios: notices, failures, the summary and the verdict. The quiet form has the summary of the
  /// failures and the verdict only.
  public func ending(_ report: SuiteReport) -> [String] {
    let troubles = report.troubles
    guard verbosity != .quiet else { return troubles.map { summary($0, report) } + [verdict(report)] }
    var lines = report.notices.flatMap { notice in
      ["", "\(style.severity(.warning, "note"))  \(notice.printable)"]
    }
    if !troubles.isEmpty { lines += ["", title("FAILURES")] }
    for scenario in troubles { lines += [""] + failure(scenario, report) }
    let ends = troubles.map { summary($0, report) } + (verbosity == .verbose ? [] : skips(in: report))
    if !ends.isEmpty { lines += ["", title("SUMMARY")] + ends }
    lines += ["", verdict(report)]
    // The lines of the scenarios come before; without them nothing does.
    return verbosity == .verbose ? lines : Array(lines.drop { $0.isEmpty })
  }

  private func title(_ text: String) -> String { style.bold("=== \(text) ===") }

  // MARK: - Failures

  private func failure(_ scenario: ScenarioResult, _ report: SuiteReport) -> [String] {
    let shown = scenario.shown
    var lines = [
      "\(badge(scenario.outcome))  \(style.bold(scenario.scenario.id.printable))  \(scenario.level)",
      "  \(scenario.sentence.printable) \(style.dim("[\(scenario.requirement.source.printable)]"))",
    ]
    for breach in shown.breaches {
      let place = scenario.place(of: breach)
      if !place.isEmpty { lines.append("  \(place.printable)") }
      lines += FailureText.lines(breach, style)
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

  // MARK: - Summary

  /// A failure in one line: its id and case, the reason in a few words, and the command that repeats it.
  private func summary(_ scenario: ScenarioResult, _ report: SuiteReport) -> String {
    let one = scenario.shown.case.description.printable
    return "\(badge(scenario.outcome))  \(style.bold(scenario.scenario.id.printable)) (\(one)): "
      + "\(shortReason(of: scenario)); repeat: \(report.command(repeating: scenario).printable)"
  }

  private func shortReason(of scenario: ScenarioResult) -> String {
    guard let breach = scenario.shown.breaches.first else { return SuiteText.cut(scenario.shown.reason.printable) }
    var (expected, observed) = (breach.expected.printable, breach.observed.printable)
    let texts = TextDifference(expected: expected, observed: observed)
    let isLong = max(expected.count, observed.count) > SuiteText.longest
    // Of two long lists the first elements that differ.
    if isLong, texts.isPartial, let first = texts.first { (expected, observed) = first }
    return "expected \(SuiteText.cut(expected)), observed \(SuiteText.cut(observed))"
  }

  /// The maximum length of a value in the summary.
  private static let longest = 60

  private static func cut(_ text: String) -> String {
    text.count > longest ? "\(text.prefix(longest - 1))…" : text
  }

  /// A line for each reason for which scenarios were skipped.
  private func skips(in report: SuiteReport) -> [String] {
    var reasons: [String] = []
    var scenarios: [String: [ScenarioResult]] = [:]
    for scenario in report.result.scenarios where scenario.outcome == .unsupported || scenario.outcome == .notRun {
      let reason = reason(of: scenario)
      if scenarios[reason] == nil { reasons.append(reason) }
      scenarios[reason, default: []].append(scenario)
    }
    return reasons.map { reason in
      let all = scenarios[reason] ?? []
      let name = all.count == 1 ? all[0].scenario.id.printable : Numbers.counted(all.count, "scenario")
      return "\(badge(all[0].outcome))  \(name): \(reason)"
    }
  }

  /// The reason why a scenario has no pass, after the kind of its skip: `not run: left out`.
  private func reason(of scenario: ScenarioResult) -> String {
    let reason = scenario.shown.reason.printable
    guard scenario.outcome.isSkip else { return reason }
    return reason.isEmpty ? scenario.outcome.words : "\(scenario.outcome.words): \(reason)"
  }

  // MARK: - Verdict

  private func verdict(_ report: SuiteReport) -> String {
    let counted = SuiteCounts(report)
    let system = style.bold(report.result.system.printable)
    return "\(colour(report.outcome, report.headline))  \(system): \(counted.words); "
      + "\(counted.casesInWords) in \(Numbers.fixed(Double(report.result.duration) / 1e9, 3)) s"
  }

  private func badge(_ outcome: ScenarioOutcome) -> String { colour(outcome, outcome.badge) }

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
    // A rule on every run has no case of its own.
    cases = report.result.scenarios.reduce(0) { $0 + ($1.scenario.isJudgedInEveryRun ? 0 : $1.casesRun) }
  }

  subscript(outcome: ScenarioOutcome) -> Int { counts[outcome, default: 0] }

  /// `41 passed, 2 failed, 1 inconclusive (1 of them only should)`; what there is none of is left out, but not the
  /// passed.
  var words: String {
    var words = ["\(self[.passed]) passed"]
    for outcome in ScenarioOutcome.allCases where outcome != .passed && self[outcome] > 0 {
      words.append("\(self[outcome]) \(outcome.words(for: self[outcome]))")
    }
    return words.joined(separator: ", ") + (tolerated > 0 ? " (\(tolerated) of them only should)" : "")
  }
}
