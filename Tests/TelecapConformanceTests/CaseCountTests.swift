import TelecapTestSupport
import Testing

@testable import TelecapConformance

@Suite struct CaseCountTests {
  @Test("The number of a scenario's cases is that of their list", arguments: [nil, 1, 4])
  func sameAsTheList(seeds: Int?) throws {
    for scenario in sampled(try ScenarioFiles.all(), oneIn: 20) {
      for isOnWallClock in [false, true] {
        #expect(
          scenario.caseCount(seeds: seeds, isOnWallClock: isOnWallClock)
            == scenario.cases(seeds: seeds, isOnWallClock: isOnWallClock).count, "\(scenario.id)")
      }
      var one = scenario
      one.onlySeed = 7
      #expect(one.caseCount(seeds: seeds) == one.cases(seeds: seeds).count, "\(scenario.id)")
    }
  }
}
