import Foundation
import TelecapConformance
import TelecapReplay
import TelecapTestSupport
import Testing

@Suite struct ScenarioFilterTests {
  private let all: [Scenario]

  init() throws { all = try ProjectScenarios.all() }

  private func ids(_ filter: ScenarioFilter) throws -> [String] { try filter.chosen(of: all).map(\.id) }

  @Test("Patterns and a level choose, all together")
  func chosen() throws {
    #expect(try ids(ScenarioFilter()) == all.map(\.id))
    #expect(try ids(ScenarioFilter(only: ["tele.bye.closes", "mouse.hid.*"])).contains("tele.bye.closes"))
    #expect(try ids(ScenarioFilter(only: ["tele.bye.closes", "tele.cmd.*"], skip: ["*.cmd.*"])) == ["tele.bye.closes"])
    let must = try ScenarioFilter(level: .must).chosen(of: all)
    #expect(!must.isEmpty && must.count < all.count && must.allSatisfy { $0.requirement.level == .must })
  }

  @Test("The first pattern without a scenario is told, with what was probably meant where something is near")
  func idle() {
    func problem(_ filter: ScenarioFilter) -> ReplayProblem? { #expect(throws: ReplayProblem.self) { try ids(filter) } }
    #expect(
      problem(ScenarioFilter(only: ["tele.*", "moose.*"], skip: ["x"]))
        == .noMatch(option: "--only", glob: "moose.*", nearest: "mouse.*"))
    #expect(
      problem(ScenarioFilter(skip: ["touch.trace.lihgt"]))
        == .noMatch(option: "--skip", glob: "touch.trace.lihgt", nearest: "touch.trace.light"))
    #expect(problem(ScenarioFilter(only: [""])) == .noMatch(option: "--only", glob: "", nearest: nil))
    let should = all.filter { $0.requirement.level == .should }.map(\.id)
    let nothing = problem(ScenarioFilter(only: Array(should.prefix(1)), level: .must))
    #expect(nothing == .noneLeft(by: ["--only \"\(should[0])\"", "--level must"]))
    #expect(nothing?.description == "--only \"\(should[0])\" and --level must leave no scenario")
  }
}

@Suite struct CommandWordsTests {
  @Test("An option is put where it is one")
  func adding() {
    #expect(["a", "--b"].adding(option: "--seed", "1") == ["a", "--b", "--seed", "1"])
    #expect(["a", "--", "-b", "--"].adding(option: "--seed", "1") == ["a", "--seed", "1", "--", "-b", "--"])
  }

  @Test("The values of an option are those before --")
  func values() {
    let words = ["info", "--protocol", "a", "--protocol=b=c", "--protocols", "d", "--", "--protocol", "e"]
    #expect(words.values(of: "--protocol") == ["a", "b=c"])
    #expect(["--protocol"].values(of: "--protocol") == [])
  }
}
