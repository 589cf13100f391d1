import Foundation
import TelecapConformance
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@Suite struct JudgedReplayTests {
  private func system(_ name: String) throws -> any SystemUnderTest {
    try SystemChoice(name, .all, stop: StopFlag()).system
  }

  @Test("A recording judges any system: one that goes by the order of arrival fails just that")
  func verdicts() async throws {
    let run = try ReplayRun.poses(100, "--jitter 30ms")
    let right = try JudgedReplay(run, to: system("model:host"), wait: .milliseconds(200))
    let passed = try await right.run()
    #expect(!passed.failsReplay && passed.scenarios.contains { $0.scenario.id == "tele.pose.latest-value-wins" })
    #expect(right.fed.planDigest != nil && right.recorded.leftOut == 0)
    let wrong = try JudgedReplay(run, to: system("model:host+order-of-arrival"), wait: .milliseconds(200))
    let failed = try await wrong.run()
    #expect(failed.failsReplay)
    #expect(failed.scenarios.filter { $0.verdict == .fail }.map(\.scenario.id).contains("tele.pose.latest-value-wins"))
    let told = Set(failed.scenarios.map(\.scenario.id))
    #expect(Set(wrong.unjudged(in: failed)) == Set(wrong.scenarios.map(\.id)).subtracting(told))
  }

  @Test("Values that are set and hostile ones reach the system, are kept in the plan, and are shrunk to what is needed")
  func changedFields() async throws {
    let run = try ReplayRun.poses(60, "--set x=nan@20% --hostile 10%")
    let right = try JudgedReplay(run, to: system("model:host"), wait: .milliseconds(200))
    #expect(try await !right.run().failsReplay)
    #expect(right.fed.withoutEffect.isEmpty && right.recorded.plan.contains { $0.changes.count == 2 })
    let system = try system("model:host+applies-not-finite")
    let wrong = try JudgedReplay(run, to: system, wait: .milliseconds(200))
    let result = try await wrong.run()
    let id = "tele.pose.non-finite"
    #expect(result.scenarios.contains { $0.scenario.id == id && $0.verdict == .fail })
    let followUp = FollowUp(artifacts: nil, shrinkRuns: 300, budget: nil, tool: "test", ports: .standard)
    let open = SuiteReport(
      SuiteResult(system: system.name, scenarios: []), command: ["telecap"], began: .zero, host: "h", tool: "0")
    let report = try await followUp.complete(open, with: result, of: system)
    #expect(report.shrunk[id]?.contains(" with ") == true, "\(report.shrunk)")
  }

  @Test("What is set and is in no message has no effect, and is told; a made plan runs again to the same bytes")
  func withoutEffect() throws {
    var run = try ReplayRun.poses(20, "--set value=1@50% --hostile 50%")
    var text: [UInt8] = []
    let fed = try run.feeder.plan { text += $0 }
    #expect(
      fed.idle == ["set value=1@50% changed nothing: it was drawn for no message that has a field \"value\""])
    #expect(throws: FieldProblem.self) { try ReplayRun.poses(20, "--set intensity=1.5") }
    let folder = try Folder()
    try Data(text).write(to: URL(fileURLWithPath: folder["plan.jsonl"]))
    run = try ReplayRun(of: .poses(20), by: folder["plan.jsonl"]) { _ in PlanHeader(seed: 0, capture: "") }
    var again: [UInt8] = []
    _ = try run.feeder.plan { again += $0 }
    #expect(again == text && String(decoding: text, as: UTF8.self).contains(#""set":{"#))
  }

  @Test("What a system is not for is refused")
  func refused() throws {
    let run = try ReplayRun.poses(3)
    #expect(throws: ReplayProblem.otherSystem(sender: .phone, system: "model:phone")) {
      try JudgedReplay(run, to: system("model:phone"), wait: .milliseconds(1))
    }
  }

  @Test("A failure is shrunk and kept, and the rest of the report stays")
  func followUp() async throws {
    let folder = try Folder()
    let system = try system("model:host+order-of-arrival")
    let run = try JudgedReplay(try ReplayRun.poses(40, "--jitter 30ms"), to: system, wait: .milliseconds(200))
    let open = SuiteReport(
      SuiteResult(system: system.name, scenarios: []), command: ["telecap"], began: .zero, host: "h", tool: "0")
    let result = try await run.run()
    var followUp = FollowUp(
      artifacts: folder["kept"], shrinkRuns: 200, budget: nil, tool: "test", ports: .standard)
    let report = try await followUp.complete(open, with: result, of: system)
    let id = "tele.pose.latest-value-wins"
    #expect(report.shrunk[id]?.hasPrefix("fails with just: packet ") == true)
    #expect(
      report.artifacts[id] == "\(folder["kept"])/\(id)" && report.result.scenarios.count == result.scenarios.count)
    #expect(report.host == "h")
    // No time, no runs: told so, and nothing is lost.
    let noTime = FollowUp.Budget(nanoseconds: 0, words: "the 180 s for shrinking")
    (followUp.artifacts, followUp.budget) = (nil, noTime)
    let hurried = try await followUp.complete(open, with: result, of: system)
    #expect(hurried.shrunk[id] == "not shrunk: one run takes longer than its share of the 180 s for shrinking")
    followUp.shrinkRuns = nil
    let bare = try await followUp.complete(open, with: result, of: system)
    #expect(bare.shrunk.isEmpty && bare.artifacts.isEmpty)
  }
}

@Suite struct SystemChoiceTests {
  private func choice(_ text: String) throws -> SystemChoice { try SystemChoice(text, .all, stop: StopFlag()) }

  @Test("A name is a model, an address or a file, and only models run in virtual time")
  func names() throws {
    #expect(try !choice("models").isOnWallClock && choice("models").system.name == "models")
    #expect(try !choice("model:host").isOnWallClock && choice("model:host").system.name == "model:host")
    let wire = try choice("udp://127.0.0.1:9?role=host&code=ABC123")
    #expect(wire.isOnWallClock && wire.system.parts == [Part(.host)])
    let file = try choice(Project.file("Scenarios/systems/naive-host.yaml").path)
    #expect(file.isOnWallClock && file.system.name == "naive-host")
  }

  @Test("What is none is refused in its own words")
  func refused() throws {
    #expect(throws: ReplayProblem.noSystem("nonsense")) { try choice("nonsense") }
    #expect(throws: SystemNameError.self) { try choice("model:nobody") }
    let folder = try Folder()
    let bad = try folder.write(Array("nonsense: 1\n".utf8), to: "bad.yaml")
    #expect(throws: YAMLFileError.self) { try choice(bad) }
  }
}

@Suite struct ScenarioFolderTests {
  @Test("Scenarios of TELE and the mouse read their captures also beside a protocol of a file at the same port")
  func samePort() throws {
    let owner = try ProtocolFile.read(
      """
      protocol: other
      carriers: [{name: udp, over: udp, port: 8888}]
      header: [{name: kind, type: u8, is: type}]
      messages: [{name: MOVE, type: 1, from: client, fields: [{name: speed, type: f32}]}]
      session: {opens: with-any-message}
      streams: [{name: move, message: MOVE, values: [speed]}]
      """, file: "other.yaml")
    let suites = Suites(Suites.all.all + [Suite.declared(by: owner)])
    let folder = Project.file("Scenarios").path
    #expect(try ScenarioFolder(folder, suites).read().count == ScenarioFolder(folder).read().count)
  }

  @Test("Scenarios are found below the folder, but in those of systems and protocols, and read in order")
  func read() throws {
    let folder = try Folder()
    #expect(throws: ReplayProblem.noScenarios(folder: folder.path)) { try ScenarioFolder(folder.path).read() }
    let scenarios = try ScenarioFolder(Project.file("Scenarios").path).read()
    #expect(scenarios.count > 50 && scenarios.map(\.path) == scenarios.map(\.path).sorted())
    #expect(!scenarios.contains { $0.path.hasPrefix("systems") || $0.path.hasPrefix("protocols") })
    let error = #expect(throws: YAMLFileError.self) { try ScenarioFolder(folder.path).scenario("none.yaml") }
    #expect(error?.description.hasPrefix("\(folder.path)/none.yaml:1:1: ") == true)
  }
}
