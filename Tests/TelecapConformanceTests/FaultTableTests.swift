import TelecapConformance
import TelecapRecording
import Testing

/// Which requirements catch which wrong system: all that it must fail, and nothing unrelated.
@Suite struct FaultTableTests {
  @Test(arguments: Role.allCases)
  func eachWrongSystemFailsWhatItMustAndNothingElse(_ role: Role) async throws {
    let scenarios = try thinScenarios(of: role)
    let table = FaultTable.rows(of: role)
    #expect(Set(table.keys) == Set(Fault.all(of: role).map(\.name)))
    for fault in Fault.all(of: role) {
      let failed = try await failed(ModelSystem(role, fault: fault), scenarios)
      #expect(failed == table[fault.name], "\(role.rawValue)+\(fault.name)")
    }
  }

  @Test func everyRequirementCatchesSomebody() {
    let caught = Role.allCases.reduce(into: Set<String>()) { $0.formUnion(FaultTable.rows(of: $1).values.joined()) }
    #expect(Set(Requirement.all.map(\.id)).subtracting(caught) == [])
  }

  /// Of a grid, every twentieth case and the last are enough here.
  private func thinScenarios(of role: Role) throws -> [Scenario] {
    try ScenarioFiles.all(of: role).map { scenario in
      var thin = scenario
      let last = scenario.combinations.count - 1
      thin.combinations = scenario.combinations.enumerated().filter { $0.offset % 20 == 0 || $0.offset == last }
        .map(\.element)
      thin.seeds = min(2, scenario.seeds)
      return thin
    }
  }

  /// The requirements that a wrong system fails.
  private func failed(_ system: ModelSystem, _ scenarios: [Scenario]) async throws -> Set<String> {
    let result = try await SuiteRunner(system).run(scenarios)
    #expect(result.passes(strict: true) == false)
    return Set(result.scenarios.filter { $0.verdict == .fail }.map(\.requirement.id))
  }
}
