import TelecapConformance
import TelecapTele
import TelecapWire
import Testing

/// Which clients a host lets in, and what belongs to a session, follow from a declaration: tried with that of TELE, by the general models
/// of both sides.
@Suite("Declared hosts accept and reject clients") struct DeclaredAdmissionTests {
  private let suite = Suite.declared(by: Tele.wire)

  private func results(
    _ system: String, besides left: [String] = []
  ) async throws -> [ScenarioResult] {
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { scenario in
      model.parts.contains(scenario.setup.part) && !left.contains(where: scenario.id.contains)
    }
    return try await SuiteRunner(model).run(scenarios).scenarios
  }

  @Test("The right host and the right phone keep all of it", arguments: ["host", "phone"])
  func right(_ system: String) async throws {
    let results = try await results(system)
    #expect(results.count > 20)
    for result in results { #expect(result.verdict == .pass, "\(result.scenario.id): \(result.shown.reason)") }
  }

  @Test("Each requirement on sessions has a scenario, and says in a sentence what it requires")
  func requirements() throws {
    let sessions = suite.requirements.filter { $0.id.hasPrefix("tele.session.") || $0.id.hasSuffix("-session") }
    #expect(Set(suite.scenarios.map(\.requirement.id)).isSuperset(of: sessions.map(\.id)))
    func sentence(_ id: String) -> String? { suite.requirements.first { $0.id == id }?.sentence }
    #expect(
      sentence("tele.session.accept")
        == "The host accepts a valid HELLO with the right code unless other clients hold all sessions.")
    #expect(
      sentence("tele.session.wrong-code")
        == "A HELLO with a wrong code, in any place, case or length, is rejected.")
    #expect(
      sentence("tele.session.busy") == "While a client holds its session the HELLO of another one is rejected.")
    #expect(sentence("tele.haptic.needs-session") == "Outside a session no HAPTIC is applied.")
  }

  @Test(
    "Each wrong system fails what it is wrong in",
    arguments: [
      ("host+ignores-code", ["tele.session.wrong-code"]),
      ("host+accepts-everybody", ["tele.session.busy"]),
      ("host+accepts-nobody", ["tele.session.accept", "tele.session.wrong-code"]),
      ("host+ignores-teardown", ["tele.haptic.sender-session", "tele.session.accept"]),
      ("host+ignores-timeout", ["tele.haptic.sender-session", "tele.session.accept"]),
      ("host+ignores-session-state", ["tele.pose.latest-value-wins"]),
      ("phone+wrong-code", ["tele.session.code"]),
      ("phone+ignores-rejection", ["tele.pose.sender-session"]),
      ("phone+sends-unaccepted", ["tele.haptic.needs-session", "tele.pose.sender-session"]),
      ("phone+stays-on", ["tele.haptic.safe-on-loss"]),
      ("phone+ignores-session-state", ["tele.haptic.needs-session", "tele.haptic.safe-on-loss"]),
    ])
  func wrong(_ system: String, _ expected: [String]) async throws {
    let others = [".header.", ".robust.", ".network", ".extremes", ".cmd."]
    let failed = try await results(system, besides: others).filter { $0.verdict == .fail }.map(\.requirement.id)
    #expect(Set(failed).sorted() == expected)
  }
}
