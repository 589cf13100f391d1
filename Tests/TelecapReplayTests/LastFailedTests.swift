import Foundation
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import Testing

/// `conform --last-failed`: which cases run, and where that is kept.
@Suite struct LastFailedTests {
  private let folder: Folder
  private let scenarios: [Scenario]

  init() throws {
    folder = try Folder()
    scenarios = try ProjectScenarios.all().filter {
      ["tele.haptic.clamp-high", "tele.haptic.clamp-low", "tele.haptic.clamp-high.tcp"].contains($0.id)
    }
  }

  private func file(_ system: String = "model:phone", scenarios: String = "/s") -> LastFailedFile {
    LastFailedFile(system: system, scenarios: scenarios, cache: folder["cache/telecap"])
  }

  private func scenario(_ id: String) throws -> Scenario { try #require(scenarios.first { $0.id == id }) }

  private func result(_ verdicts: [(id: String, Case, Verdict)]) throws -> SuiteResult {
    var results: [String: ScenarioResult] = [:]
    for (id, one, verdict) in verdicts {
      let next = ScenarioResult(try scenario(id), CaseResult(of: one, verdict))
      if results[id] == nil { results[id] = next } else { results[id]?.merge(next) }
    }
    return SuiteResult(system: "x", scenarios: Array(results.values))
  }

  @Test("Only the failed cases are kept, and chosen")
  func cases() throws {
    let two = Case(pieces: 1)
    var failed = LastFailed()
    failed.update(
      try result([
        ("tele.haptic.clamp-high.tcp", Case(), .pass), ("tele.haptic.clamp-high.tcp", two, .fail),
        ("tele.haptic.clamp-low", Case(), .pass), ("tele.haptic.clamp-high", Case(), .inconclusive),
      ]))
    #expect(
      failed.cases == [
        "tele.haptic.clamp-high.tcp": ["--pieces 1 --seed 1"], "tele.haptic.clamp-high": ["--seed 1"],
      ])
    let chosen = try #require(failed.chosen(of: scenarios))
    #expect(Set(chosen.map(\.id)) == ["tele.haptic.clamp-high.tcp", "tele.haptic.clamp-high"])
    for scenario in chosen where scenario.hasStream { #expect(scenario.cases().map(\.pieces) == [1]) }
  }

  @Test("A later run replaces what it ran, and keeps the rest")
  func later() throws {
    var failed = LastFailed()
    let (high, low) = ("tele.haptic.clamp-high", "tele.haptic.clamp-low")
    failed.update(try result([(high, Case(), .fail), (low, Case(), .fail)]))
    failed.update(try result([(high, Case(), .pass), (low, Case(), .notRun)]))
    #expect(failed.cases == [low: ["--seed 1"]])
  }

  @Test("A scenario that no longer has its failed case runs whole")
  func changed() throws {
    var scenario = try scenario("tele.haptic.clamp-high.tcp")
    let all = scenario.cases()
    scenario.onlyCases = ["--loss 5% --seed 9"]
    #expect(scenario.cases() == all && all.count > 1)
  }

  @Test("The file is read back, for its system and its scenarios only")
  func readBack() throws {
    var failed = LastFailed()
    failed.update(try result([("tele.haptic.clamp-low", Case(), .fail)]))
    try file().write(failed)
    #expect(try file().read() == failed)
    for other in [file("model:host"), file(scenarios: "/t")] {
      #expect(throws: LastFailedFile.Problem.self) { try other.read() }
    }
  }

  @Test("Without a file, with a broken one and without failures all cases run, and the reason is given")
  func all() throws {
    func note(_ file: LastFailedFile) -> String {
      let choice = LastFailedChoice(of: scenarios, by: file)
      #expect(choice.scenarios.count == scenarios.count && !choice.isRestricted)
      return choice.note
    }
    let file = file()
    let unknown = "--last-failed: no failure of an earlier run against model:phone is known: all cases run"
    #expect(note(file) == unknown)
    let path = try #require(file.path)
    try file.write(LastFailed())
    #expect(!FileManager.default.fileExists(atPath: path) && note(file) == unknown)
    var failure = LastFailed()
    failure.update(try result([("tele.haptic.clamp-low", Case(), .fail)]))
    try file.write(failure)
    try file.write(LastFailed())
    #expect(note(file) == "--last-failed: nothing failed in the last run: all cases run")
    try Data("{\"format\":".utf8).write(to: URL(filePath: path))
    #expect(note(file) == "--last-failed: \(path): not a list of failed cases of this system: all cases run")
    var failed = LastFailed()
    failed.update(try result([("tele.haptic.clamp-low", Case(), .fail)]))
    try file.write(failed)
    let others = scenarios.filter { $0.id != "tele.haptic.clamp-low" }
    #expect(
      LastFailedChoice(of: others, by: file).note
        == "--last-failed: no chosen scenario failed in the last run: all chosen cases run")
  }

  @Test("Failed cases run whatever time they take")
  func budget() throws {
    var failed = LastFailed()
    failed.update(try result([("tele.haptic.clamp-low", Case(), .fail)]))
    try file().write(failed)
    let choice = try SystemChoice("model:phone", .all, stop: StopFlag())
    let cases = try ChosenCases(scenarios, for: choice, one: nil, budget: .seconds(1), seeds: nil, failed: file())
    #expect(cases.scenarios.map(\.id) == ["tele.haptic.clamp-low"] && cases.leftOut.isEmpty)
    #expect(cases.note == "--last-failed: only the failed cases of 1 scenario run")
  }
}
