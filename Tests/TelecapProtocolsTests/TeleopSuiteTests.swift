import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// TELE's file under another name: the suite that follows from a declaration, for a protocol with codes, refusals, sessions that
/// streams belong to, and messages over several carriers.
enum Teleop {
  static func read() throws -> WireProtocol {
    let text = try BuiltInFile.all[0].text()
      .replacing("protocol: tele", with: "protocol: teleop").replacing("sides: {client: phone, host: host}", with: "")
      .replacing("id: tele-", with: "id: teleop-").replacing("1C8FD138", with: "1C8FD139")
    return try ProtocolFile.read(text, file: "teleop.yaml")
  }
}

@Suite("The suite that follows from TELE's file") struct TeleopSuiteTests {
  private static func results(_ system: String) async throws -> [ScenarioResult] {
    let suite = Suite.declared(by: try Teleop.read())
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    return try await SuiteRunner(model).run(scenarios).scenarios
  }

  @Test("The right models pass all of it", arguments: ["teleop-client", "teleop-host"])
  func theRightModelsPassAllOfIt(_ side: String) async throws {
    let results = try await Self.results(side)
    #expect(results.count > 15)
    for result in results { #expect(result.verdict == .pass, "\(result.scenario.id)") }
  }

  @Test(
    "What belongs to a session is judged",
    arguments: [
      ("ignores-session-state", ["teleop.haptic.needs-session", "teleop.haptic.safe-on-loss"]),
      ("stays-on", ["teleop.haptic.safe-on-loss"]), ("no-clamp", ["teleop.haptic.latest-value-wins"]),
    ] as [(String, Set<String>)])
  func whatBelongsToASessionIsJudged(_ fault: String, _ requirements: Set<String>) async throws {
    let failed = try await Self.results("teleop-client+\(fault)").filter { $0.verdict == .fail }
    // A mutation may make an intensity that is out of range.
    #expect(Set(failed.map(\.scenario.requirement.id)).subtracting(["teleop.robust.mutations"]) == requirements)
  }

  @Test(
    "The end of a connection ends its session",
    arguments: [
      ("teleop-host+ignores-disconnect", "teleop.session.accept"),
      ("teleop-client+stays-on", "teleop.haptic.safe-on-loss"),
    ])
  func endOfAConnection(_ system: String, _ requirement: String) async throws {
    let failed = try await Self.results(system).filter { $0.verdict == .fail }.map(\.scenario.id)
    for ending in ["close", "reset"] { #expect(failed.contains("\(requirement).\(ending).tcp")) }
    #expect(!failed.contains("\(requirement).tcp"))
  }

  @Test("Each wrong model fails", arguments: [Side.client, .host])
  func eachWrongModelFails(_ side: Side) async throws {
    let suite = Suite.declared(by: try Teleop.read())
    let model = try #require(suite.models.first { $0.part.side == side })
    #expect(model.faults.count > 5)
    for fault in model.faults {
      let results = try await Self.results("\(model.part)+\(fault)")
      // A rule on what a system sends may be broken in a scenario that is about another.
      let isFound = results.contains { $0.verdict == .fail || $0.shown.sending.contains { !$0.breaches.isEmpty } }
      #expect(isFound, "\(fault)")
    }
  }
}
