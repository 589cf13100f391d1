import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@Suite struct SuiteTests {
  @Test("Every requirement has a scenario")
  func everyRequirementHasAScenario() throws {
    let tested = Set(try ScenarioFiles.all().map(\.requirement.id))
    let untested = Suites.all.requirements.map(\.id).filter { !tested.contains($0) }
    #expect(untested == [])
  }

  @Test("Ids of requirements are named once")
  func idsOfRequirementsAreNamedOnce() {
    let all = Suites.all.requirements
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(all.count == 107)
  }

  @Test("Every stream requirement is in the catalogue")
  func everyStreamRequirementIsInTheCatalogue() {
    let judged = Suites.all.models.flatMap(\.judging.streams).flatMap(\.requirements).map(\.requirement)
    #expect(Set(judged.map(\.id)).count == 20)
    for requirement in judged { #expect(Suites.all.requirement(requirement.id) == requirement) }
  }

  @Test("The right model passes everything", arguments: sampled(Suites.all.models, oneIn: 9))
  func theRightModelPassesEverything(_ model: PartModel) async throws {
    let result = try await SuiteRunner(ModelSystem(model)).run(try ScenarioFiles.all(of: model.part))
    for scenario in result.scenarios {
      let shown = scenario.shown
      #expect(scenario.verdict == .pass, "\(scenario.scenario.id) \(shown.case): \(shown.breaches) \(shown.reason)")
    }
    #expect(result.passes(strict: true))
  }
}
