import TelecapConformance
import TelecapText

/// A requirement and the scenarios that test it: what `conform --list` shows, one of them after the other.
public struct RequirementList: PrintedResult {
  private let rows: [(requirement: Requirement, scenarios: [Scenario])]

  /// The requirements with those of their scenarios that are chosen.
  ///
  /// - Parameter all: every scenario; a requirement is left out when there are scenarios of it and none is chosen.
  public init(_ requirements: [Requirement], _ chosen: [Scenario], of all: [Scenario]) {
    rows = requirements.compactMap { requirement in
      let scenarios = chosen.filter { $0.requirement == requirement }
      let isLeftOut = scenarios.isEmpty && all.contains { $0.requirement == requirement }
      return isLeftOut ? nil : (requirement, scenarios)
    }
  }

  /// The list as a person reads it.
  public var lines: [String] { rows.flatMap { RequirementList.text($0.requirement, $0.scenarios) } }

  /// The list as JSON Lines, an object for each requirement.
  public func write(to json: inout JSONWriter) {
    for row in rows { RequirementList.write(row.requirement, row.scenarios, &json) }
  }

  private static func text(_ requirement: Requirement, _ scenarios: [Scenario]) -> [String] {
    let derived = requirement.isDerived ? ", derived" : ""
    return [
      "\(requirement.id)  \(requirement.level.rawValue)\(derived)", "  \(requirement.sentence)",
      "  source: \(requirement.source)",
    ].map(\.printable) + scenarios.map { "  \($0.setup.part.name): \($0.id): \($0.sentence)".printable }
  }

  private static func write(_ requirement: Requirement, _ scenarios: [Scenario], _ json: inout JSONWriter) {
    json.beginObject()
    json.put("requirement", requirement.id)
    json.put("level", requirement.level.rawValue)
    json.put("derived", requirement.isDerived)
    json.put("sentence", requirement.sentence)
    json.put("source", requirement.source)
    json.beginArray("scenarios")
    for scenario in scenarios {
      json.beginObject()
      json.put("id", scenario.id)
      json.put("role", scenario.setup.part.name)
      json.put("sentence", scenario.sentence)
      json.put("cases", scenario.cases().count)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }
}
