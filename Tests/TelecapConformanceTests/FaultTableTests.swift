import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

/// Which requirements catch which wrong system: all that it must fail, and nothing unrelated.
@Suite struct FaultTableTests {
  /// A model with one of its faults.
  struct WrongModel: CustomStringConvertible, Sendable {
    let model: PartModel
    let fault: String
    var description: String { "\(model)+\(fault)" }

    static let all = Suites.all.models.flatMap { model in model.faults.map { WrongModel(model: model, fault: $0) } }
  }

  @Test("Each mutant fails the requirements of its row and no others", arguments: sampled(WrongModel.all, oneIn: 24))
  func caught(_ wrong: WrongModel) async throws {
    let scenarios = try thinScenarios(of: wrong.model.part)
    let failed = try await failed(ModelSystem(wrong.model, fault: wrong.fault), scenarios)
    #expect(failed == FaultTable.rows(of: wrong.model.part)[wrong.fault])
  }

  @Test(
    "A host that ignores the wheel fails the wheel's requirement",
    arguments: [("", .pass), ("+ignores-scroll", .fail)] as [(String, Verdict)])
  func wheel(_ fault: String, _ verdict: Verdict) async throws {
    let system = try ModelSystem(parsing: "model:mouse-host\(fault)", in: .all)
    let result = try await SuiteRunner(system).run(Case(), of: try ScenarioFiles.read("mouse/scroll/sum.yaml"))
    #expect(result.verdict == verdict)
  }

  @Test("The table has a row for each fault of each model, and no other")
  func rows() {
    for model in Suites.all.models {
      #expect(Set(FaultTable.rows(of: model.part).keys) == Set(model.faults), "\(model)")
    }
  }

  @Test("Every requirement catches a mutant")
  func requirements() {
    let caught = Suites.all.parts.reduce(into: Set<String>()) { $0.formUnion(FaultTable.rows(of: $1).values.joined()) }
    #expect(Set(Suites.all.requirements.map(\.id)).subtracting(caught) == [])
  }

  /// For a grid, every fortieth case and the last are enough here; and no fault shows only after a quarter of an hour.
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
