import TelecapConformance
import TelecapRecording
import Testing

@Suite struct SuiteTests {
  @Test func everyRequirementHasAScenario() throws {
    let tested = Set(try ScenarioFiles.all().map(\.requirement.id))
    let untested = Requirement.all.map(\.id).filter { !tested.contains($0) }
    #expect(untested == [])
  }

  @Test func idsOfRequirementsAreNamedOnce() {
    #expect(Set(Requirement.all.map(\.id)).count == Requirement.all.count)
    #expect(Requirement.all.count == 77)
  }

  @Test func everyStreamRequirementIsInTheCatalogue() {
    for stream in StreamRequirement.allCases { #expect(stream.requirement != nil, "\(stream.rawValue)") }
  }

  @Test(arguments: Part.allCases)
  func theRightModelPassesEverything(_ part: Part) async throws {
    let result = try await SuiteRunner(ModelSystem(part)).run(try ScenarioFiles.all(of: part))
    for scenario in result.scenarios {
      let shown = scenario.shown
      #expect(scenario.verdict == .pass, "\(scenario.scenario.id) \(shown.of): \(shown.breaches) \(shown.reason)")
    }
    #expect(result.passes(strict: true))
  }
}
