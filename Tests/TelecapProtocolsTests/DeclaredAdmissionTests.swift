import TelecapConformance
import TelecapProtocols
import TelecapTele
import TelecapWire
import Testing

/// Which clients a host accepts, and what belongs to a session, follow from a declaration: tested with that of TELE, by
/// the general models of both sides.
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

  @Test("The right host and the right phone pass", arguments: ["host", "phone"])
  func right(_ system: String) async throws {
    let results = try await results(system)
    #expect(results.count > 20)
    for result in results { #expect(result.verdict == .pass, "\(result.scenario.id): \(result.shown.reason)") }
  }

  @Test("A code of four digits, two clients, and answers that reject by no declared value")
  func digits() async throws {
    let owner = try ProtocolFile.read(
      """
      protocol: gate
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - {name: ASK, type: 1, from: client, fields: [{name: pin, type: text 4, characters: 0-9}]}
        - {name: YES, type: 2, from: host, fields: [{name: granted, type: u8}]}
        - {name: MOVE, type: 3, from: client, fields: [{name: number, type: u16}, {name: speed, type: f32}]}
      session: {asked-by: ASK, answered-by: [YES], code: pin, accepts: {granted: 7}, clients: 2, timeout: 2s}
      streams: [{name: move, message: MOVE, order: number, values: [speed], in-session: true}]
      """, file: "gate.yaml")
    let suites = Suites([Suite.declared(by: owner)])
    #expect(suites.all.flatMap(\.scenarios).first?.setup.code == "1357")
    func failed(_ system: String) async throws -> [String] {
      let model = try ModelSystem(parsing: "model:\(system)", in: suites)
      let scenarios = suites.all.flatMap(\.scenarios).filter { model.parts.contains($0.setup.part) }
      return try await SuiteRunner(model).run(scenarios).scenarios.filter { $0.verdict != .pass }.map(\.requirement.id)
    }
    for (system, expected) in [
      ("gate-host", []), ("gate-client", []), ("gate-host+ignores-code", ["gate.session.wrong-code"]),
      ("gate-host+accepts-everybody", ["gate.session.busy"]), ("gate-client+wrong-code", ["gate.session.code"]),
    ] as [(String, Set<String>)] {
      let failed = try await failed(system)
      #expect(Set(failed) == expected, "\(system)")
    }
  }

  @Test("A host may drop a client for which it has no rejecting value, and two reasons may share one")
  func undeclared() async throws {
    func suites(_ rejects: String) throws -> Suites {
      let owner = try ProtocolFile.read(
        """
        protocol: gate
        carriers: [{name: udp, over: udp, port: 7000}]
        header: [{name: kind, type: u8, is: type}]
        messages:
          - {name: ASK, type: 1, from: client, fields: [{name: pin, type: text 4, characters: 0-9}]}
          - {name: YES, type: 2, from: host, fields: [{name: granted, type: u8}]}
          - {name: MOVE, type: 3, from: client, fields: [{name: number, type: u16}]}
        session: {asked-by: ASK, answered-by: [YES], code: pin, accepts: {granted: 0}, \(rejects)clients: 1, timeout: 2s}
        streams: [{name: move, message: MOVE, order: number}]
        """, file: "gate.yaml")
      return Suites([Suite.declared(by: owner)])
    }
    for (rejects, fault, expected) in [
      ("", "", []), ("rejects: {code: 1}, ", "", []), ("rejects: {busy: 1}, ", "", []),
      ("", "+drops-rejected", []), ("rejects: {code: 1, busy: 2}, ", "+drops-rejected", ["gate.session.answer"]),
    ] as [(String, String, Set<String>)] {
      let suites = try suites(rejects)
      let model = try ModelSystem(parsing: "model:gate-host\(fault)", in: suites)
      let scenarios = suites.all.flatMap(\.scenarios).filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      #expect(expected.isEmpty == results.allSatisfy { $0.verdict == .pass }, "\(rejects)\(fault)")
      let ids = Set(results.flatMap(\.shown.sending).filter { !$0.breaches.isEmpty }.map(\.requirement))
      #expect(ids == expected, "\(rejects)\(fault)")
    }
  }

  @Test("Each requirement on sessions has a scenario, and states in a sentence what it requires")
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
    "Each mutant fails the requirements of its fault",
    arguments: [
      ("host+ignores-code", ["tele.session.wrong-code"]),
      ("host+accepts-everybody", ["tele.session.busy"]),
      ("host+accepts-nobody", ["tele.session.accept", "tele.session.wrong-code"]),
      ("host+ignores-teardown", ["tele.haptic.sender-session", "tele.session.accept"]),
      ("host+ignores-timeout", ["tele.haptic.sender-session", "tele.session.accept"]),
      ("host+ignores-session-state", ["tele.pose.latest-value-wins"]),
      ("phone+wrong-code", ["tele.session.code"]),
      ("phone+ignores-rejection", ["tele.haptic.needs-session", "tele.pose.sender-session"]),
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
