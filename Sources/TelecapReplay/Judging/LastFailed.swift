import TelecapConformance
import TelecapText

/// The cases that failed when they last ran against a system, for `conform --last-failed`. A case that could not be
/// decided counts as failed: it has to run again.
public struct LastFailed: Hashable, Sendable {
  /// The descriptions of the cases by the ids of their scenarios; an empty list stands for all cases of a scenario.
  public private(set) var cases: [String: [String]] = [:]

  /// No failures.
  public init() {}

  /// Takes the results of a suite. Scenarios that it did not run keep their earlier state.
  public mutating func update(_ result: SuiteResult) {
    // Last, because those that are checked in every run need a case of another scenario.
    let inEveryRun = result.scenarios.filter(\.scenario.isJudgedInEveryRun)
    for scenario in result.scenarios.filter({ !$0.scenario.isJudgedInEveryRun }) + inEveryRun { update(scenario) }
  }

  private mutating func update(_ result: ScenarioResult) {
    let id = result.scenario.id
    switch result.verdict {
    case .pass: cases[id] = nil
    case .notRun, .unsupported: return
    case .fail, .inconclusive:
      let isCut = result.unpassed.count >= ScenarioResult.mostKept
      cases[id] = isCut ? [] : result.unpassed.map(\.description)
      guard result.scenario.isJudgedInEveryRun, result.ran.id != id, cases[result.ran.id]?.isEmpty != true else {
        return
      }
      cases[result.ran.id, default: []].append(result.shown.case.description)
    }
  }

  /// The scenarios that failed, each with its failed cases; nil if none of these did.
  public func chosen(of scenarios: [Scenario]) -> [Scenario]? {
    let chosen = scenarios.compactMap { scenario -> Scenario? in
      guard let failed = cases[scenario.id] else { return nil }
      var result = scenario
      result.onlyCases = failed.isEmpty ? nil : Set(failed)
      return result
    }
    return chosen.isEmpty ? nil : chosen
  }
}

extension LastFailed {
  /// The members of an object of JSON.
  func write(to json: inout JSONWriter) {
    json.beginArray("failed")
    for (id, descriptions) in cases.sorted(by: { $0.key < $1.key }) {
      json.beginObject()
      json.put("scenario", id)
      json.put("cases", texts: descriptions)
      json.endObject()
    }
    json.endArray()
  }

  /// Reads those members; nil if they are missing or damaged.
  init?(_ node: JSONNode) {
    guard let rows = node["failed"]?.elements else { return nil }
    for row in rows {
      guard let id = row["scenario"]?.string, let texts = row["cases"]?.elements else { return nil }
      let descriptions = texts.compactMap(\.string)
      guard descriptions.count == texts.count else { return nil }
      cases[id] = descriptions
    }
  }
}
