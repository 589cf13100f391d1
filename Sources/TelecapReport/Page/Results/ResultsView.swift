import TelecapText

/// Runs side by side, as a template takes them.
struct ResultsView {
  struct Run {
    let name: String
    let system: String
    let began: String
    let kind: String
    let outcome: String
    let count: Int
    let passed: Int
    let failed: Int
  }

  struct Change {
    let kind: String
    let word: String
    let id: String
    let anchor: String
    let text: String
  }

  struct Row {
    let anchor: String
    let id: String
    let level: String
    let sentence: String
    let source: String
    let isOpen: Bool
    let outcomes: [Outcome]
  }

  /// How a scenario came out in one run.
  struct Outcome {
    let kind: String
    let word: String
    let detail: Detail?
  }

  /// The details of a scenario that did not pass.
  struct Detail {
    let name: String
    let reason: String?
    let isBroken: Bool
    let breaches: [ConformanceResults.Failure]
    let command: String?
    /// The picture and the log of the run.
    let run: Markup
  }

  let runs: [Run]
  let notices: [String]
  let isComparison: Bool
  let changes: [Change]
  let rows: [Row]

  /// The meanings of the words in its pictures and logs.
  let words = Glossary.folded(Glossary.conformance)

  /// - Parameter isOver: whether the runs have ended.
  init(_ results: [ConformanceResults], isOver: Bool = true) {
    runs = results.map { run in
      Run(
        name: run.name.printable, system: run.system.printable, began: run.began.printable,
        kind: !isOver ? "note" : run.passes ? "pass" : "error",
        outcome: !isOver ? "running" : run.passes ? "passes" : "fails", count: run.scenarios.count,
        passed: run.scenarios.count { $0.outcome == "pass" },
        failed: run.scenarios.count { ["fail", "broken"].contains($0.outcome) })
    }
    notices = results.flatMap { run in run.notices.map { (results.count > 1 ? "\(run.name): \($0)" : $0).printable } }
    isComparison = results.count > 1
    var ids: [String] = []
    var found: [String: [Int: ConformanceResults.Scenario]] = [:]
    for (number, run) in results.enumerated() {
      for scenario in run.scenarios {
        if found[scenario.id] == nil { ids.append(scenario.id) }
        found[scenario.id, default: [:]][number] = scenario
      }
    }
    let all = ids.enumerated().map { place, id in (anchor: "scenario-\(place)", id: id, by: found[id] ?? [:]) }
    changes = all.compactMap { ResultsView.change($0.anchor, $0.id, $0.by, results) }
    // Scenarios that did not pass come first.
    let rows = all.map { ResultsView.row($0.anchor, $0.id, $0.by, results) }
    self.rows = rows.filter(\.isOpen) + rows.filter { !$0.isOpen }
  }

  /// The change of a scenario from the first run to the last; nil if its outcome is the same.
  private static func change(
    _ anchor: String, _ id: String, _ by: [Int: ConformanceResults.Scenario], _ results: [ConformanceResults]
  ) -> Change? {
    let (first, last) = (by[0]?.outcome, by[results.count - 1]?.outcome)
    guard results.count > 1, first != last else { return nil }
    let text = "\(first ?? "not run") in \(results[0].name), \(last ?? "not run") in \(results[results.count - 1].name)"
    let isBetter = last == "pass"
    let isWorse = first == "pass"
    return Change(
      kind: isBetter ? "pass" : isWorse ? "error" : "warning", word: isBetter ? "better" : isWorse ? "worse" : "other",
      id: id.printable, anchor: anchor, text: text.printable)
  }

  private static func row(
    _ anchor: String, _ id: String, _ by: [Int: ConformanceResults.Scenario], _ results: [ConformanceResults]
  ) -> Row {
    let any = by.values.first
    let outcomes = results.indices.map { number -> Outcome in
      guard let scenario = by[number] else {
        return Outcome(kind: "note", word: ScenarioOutcome.notRun.badge, detail: nil)
      }
      return Outcome(
        kind: kind(scenario.outcome), word: badge(scenario.outcome),
        detail: scenario.outcome == "pass" ? nil : detail(scenario, results[number]))
    }
    return Row(
      anchor: anchor, id: id.printable, level: (any?.level ?? "").printable, sentence: (any?.sentence ?? "").printable,
      source: (any?.source ?? "").printable, isOpen: outcomes.contains { $0.kind == "error" }, outcomes: outcomes)
  }

  private static func kind(_ outcome: String) -> String {
    switch outcome {
    case "pass": "pass"
    case "fail", "broken": "error"
    case "inconclusive": "warning"
    default: "note"
    }
  }

  /// The verdict of a result's file as reports name it; another text as it is.
  private static func badge(_ outcome: String) -> String {
    switch outcome {
    case "pass": ScenarioOutcome.passed.badge
    case "fail": ScenarioOutcome.failed.badge
    case "broken": ScenarioOutcome.broken.badge
    case "inconclusive": ScenarioOutcome.inconclusive.badge
    case "unsupported", "not-run": ScenarioOutcome.notRun.badge
    default: outcome.printable
    }
  }

  private static func detail(_ scenario: ConformanceResults.Scenario, _ run: ConformanceResults) -> Detail {
    let picture = scenario.timeline.map { Markup(TimelineChart.figure($0)) }
    let log = scenario.log.map { Markup(LogTable.element($0, of: "\(scenario.id) in \(run.name)")) }
    return Detail(
      name: run.name.printable, reason: scenario.reason.isEmpty ? nil : scenario.reason.printable,
      isBroken: !scenario.breaches.isEmpty,
      breaches: scenario.breaches.map {
        ConformanceResults.Failure(
          place: $0.place, expected: $0.expected.printable, observed: $0.observed.printable)
      }, command: scenario.command.isEmpty ? nil : scenario.command.printable,
      run: Markup([picture, log].compactMap(\.self)))
  }
}
