import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapText

/// What `conform --list` prints: the requirements and the scenarios that test each.
enum RequirementList {
  static func print(_ chosen: [Scenario], _ all: [Scenario], of suites: Suites, _ format: OutputFormat) throws {
    var out = Output()
    for requirement in suites.requirements {
      let scenarios = chosen.filter { $0.requirement == requirement }
      let isLeftOut = scenarios.isEmpty && all.contains { $0.requirement == requirement }
      if isLeftOut { continue }
      if format == .json { try write(requirement, scenarios, &out) } else { try text(requirement, scenarios, &out) }
    }
    try out.flush()
  }

  private static func text(_ requirement: Requirement, _ scenarios: [Scenario], _ out: inout Output) throws {
    let derived = requirement.isDerived ? ", derived" : ""
    try out.line("\(requirement.id)  \(requirement.level.rawValue)\(derived)")
    try out.line("  \(requirement.sentence)")
    try out.line("  source: \(requirement.source)")
    for scenario in scenarios {
      try out.line("  \(scenario.setup.part.name): \(scenario.id): \(scenario.sentence)")
    }
  }

  private static func write(_ requirement: Requirement, _ scenarios: [Scenario], _ out: inout Output) throws {
    var json = JSONWriter()
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
    try out.take(&json)
  }
}
