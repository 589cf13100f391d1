import TelecapConformance
import TelecapText

/// The cases that would be run: what `conform --dry-run` shows.
public struct CaseList: PrintedResult {
  private let cases: [(scenario: Scenario, one: String)]

  /// The cases of these scenarios, each combination with seeds 1 to `seeds` where a number is given.
  public init(_ scenarios: [Scenario], seeds: Int?, isOnWallClock: Bool) {
    cases = scenarios.flatMap { scenario in
      if scenario.isJudgedInEveryRun { return [(scenario, "in every run")] }
      return scenario.cases(seeds: seeds, isOnWallClock: isOnWallClock).map { (scenario, $0.description) }
    }
  }

  /// A line for each case, and one for each scenario that every case tests.
  public var lines: [String] { cases.map { "\($0.scenario.id) \($0.one)".printable } }

  /// An object a case, as JSON Lines.
  public func write(to json: inout JSONWriter) {
    for (scenario, one) in cases {
      json.beginObject()
      json.put("scenario", scenario.id)
      json.put("requirement", scenario.requirement.id)
      json.put("case", one)
      json.endObject()
      json.endLine()
    }
  }
}
