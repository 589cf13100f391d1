import Foundation
import TelecapConformance
import TelecapRecording
import TelecapSuites
import Testing

/// Which requirements catch which wrong system: all that it must fail, and nothing unrelated.
@Suite struct FaultTableTests {
  @Test(arguments: Suites.all.models)
  func eachWrongSystemFailsWhatItMustAndNothingElse(_ model: PartModel) async throws {
    let scenarios = try thinScenarios(of: model.part)
    let table = FaultTable.rows(of: model.part)
    #expect(Set(table.keys) == Set(model.faults))
    for fault in model.faults {
      let failed = try await failed(ModelSystem(model, fault: fault), scenarios)
      #expect(failed == table[fault], "\(model)+\(fault)")
    }
  }

  @Test func theDocumentationCountsThem() throws {
    let count = Suites.all.models.reduce(0) { $0 + $1.faults.count }
    func text(_ page: String) throws -> String {
      try String(contentsOf: ScenarioFiles.root.appending(path: page), encoding: .utf8).replacing("\n", with: " ")
    }
    #expect(try text("README.md").contains("\(count) wrong models by hand"))
    #expect(try text("Documentation/trust.md").contains("(`FaultTableTests`) | \(count) |"))
  }

  @Test func everyRequirementCatchesSomebody() {
    let caught = Suites.all.parts.reduce(into: Set<String>()) { $0.formUnion(FaultTable.rows(of: $1).values.joined()) }
    #expect(Set(Suites.all.requirements.map(\.id)).subtracting(caught) == [])
  }

  /// Of a grid, every fortieth case and the last are enough here; and nobody is wrong only after a quarter of an hour.
  private func thinScenarios(of part: Part) throws -> [Scenario] {
    try ScenarioFiles.all(of: part).filter { $0.wallTime < 200_000_000_000 }.map { scenario in
      var thin = scenario
      let last = scenario.combinations.count - 1
      thin.combinations = scenario.combinations.enumerated().filter { $0.offset % 40 == 0 || $0.offset == last }
        .map(\.element)
      thin.seeds = 1
      // Streams are cut at every byte by the scenarios that are about that.
      if scenario.pieces == [0, 1] { thin.pieces = [] }
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
