import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// TELE's file under another name: the suite that follows from a declaration, for a protocol with codes, refusals,
/// sessions that streams belong to, and messages over several transports.
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

  @Test("The right models pass", arguments: ["teleop-client", "teleop-host"])
  func theRightModelsPassAllOfIt(_ side: String) async throws {
    let results = try await Self.results(side)
    #expect(results.count > 15)
    for result in results { #expect(result.verdict == .pass, "\(result.scenario.id)") }
  }

  @Test(
    "A fault in a session's stream fails the requirements of that stream",
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
    "The end of a connection ends its session, and a system that ignores it fails",
    arguments: [
      ("teleop-host+ignores-disconnect", "teleop.session.accept"),
      ("teleop-client+stays-on", "teleop.haptic.safe-on-loss"),
    ])
  func endOfAConnection(_ system: String, _ requirement: String) async throws {
    let failed = try await Self.results(system).filter { $0.verdict == .fail }.map(\.scenario.id)
    for ending in ["close", "reset"] { #expect(failed.contains("\(requirement).\(ending).tcp")) }
    #expect(!failed.contains("\(requirement).tcp"))
  }

  @Test(
    "A receiver that splits a stream wrongly fails the requirements on framing",
    arguments: [
      ("teleop-host+reads-segments", "teleop.tcp.framing.pose"),
      ("teleop-client+reads-segments", "teleop.tcp.framing.haptic"),
      ("teleop-host+keeps-rest", "teleop.tcp.bad-length.cmd"),
    ])
  func framing(_ system: String, _ scenario: String) async throws {
    let failed = try await Self.results(system).filter { $0.verdict == .fail }.map(\.scenario.id)
    #expect(failed.contains(scenario) && failed.allSatisfy { $0.contains("tcp") })
  }

  /// A session lasts as long as its connection: the next one may have another id. Over UDP the id is kept.
  @Test("A client that connects again over TCP may have another id", arguments: [("tcp", true), ("udp", false)])
  func idOfAConnection(_ carrier: String, _ isRight: Bool) async throws {
    let suites = Suites([.declared(by: try Teleop.read())])
    let text = """
      # The host closes the connection, and the client connects again.
      requirement: teleop.haptic.latest-value-wins
      role: teleop-client
      carrier: \(carrier)
      steps:
        - {at: 300ms, send: HAPTIC, with: {intensity: 0.5}}
        - {at: 500ms, close: true}
        - {at: 1s, send: HAPTIC, with: {intensity: 0.25}}
      end: 4s
      """
    let scenario = try Scenario(
      carrier == "tcp" ? text : text.replacing("  - {at: 500ms, close: true}\n", with: ""),
      path: "teleop/haptic/latest-value-wins/again.yaml", file: "again.yaml", suites: suites)
    let model = try ModelSystem(parsing: "model:teleop-client+changes-id", in: suites)
    let result = try #require(try await SuiteRunner(model).run([scenario]).scenarios.first)
    let ids = result.shown.sending.filter { $0.requirement == "teleop.session.id" }
    #expect(ids.allSatisfy { $0.breaches.isEmpty } == isRight, "\(ids)")
  }

  @Test("Each mutant fails", arguments: [Side.client, .host])
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

/// The mouse's file under another name: a protocol that mixes transports, has no sessions, and frames by the first byte.
@Suite("The suite that follows from the mouse's file") struct PointingSuiteTests {
  private static func suite() throws -> Suite {
    let text = try BuiltInFile.all[1].text().replacing("protocol: mouse", with: "protocol: pointing")
      .replacing("id: mouse-", with: "id: pointing-").replacing("123456789ABD", with: "123456789ABE")
      .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("sides:") }.joined(
        separator: "\n")
    return Suite.declared(by: try ProtocolFile.read(text, file: "pointing.yaml"))
  }

  private static func failed(_ system: String) async throws -> Set<String> {
    let suite = try suite()
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    if !system.contains("+") { #expect(results.allSatisfy { $0.verdict == .pass }) }
    // One that crashes is broken.
    return Set(results.filter { $0.verdict != .pass && $0.verdict != .inconclusive }.map(\.scenario.id))
  }

  @Test("The right models pass", arguments: ["pointing-client", "pointing-host"])
  func right(_ side: String) async throws {
    #expect(try await Self.failed(side) == [])
  }

  @Test("Each mutant of a host fails; one that starts a message at any byte fails tcp.resync")
  func wrong() async throws {
    let model = try #require(try Self.suite().models.first { $0.part.side == .host })
    #expect(model.faults.contains("ignores-heads") && !model.faults.contains("keeps-rest"))
    for fault in model.faults {
      let failed = try await Self.failed("pointing-host+\(fault)")
      #expect(!failed.isEmpty, "\(fault)")
      if fault == "ignores-heads" { #expect(failed.contains("pointing.tcp.resync.pointer")) }
      if fault == "reads-segments" { #expect(failed.contains("pointing.tcp.framing.pointer")) }
    }
  }
}

/// A protocol over TCP alone: nothing but the end of a connection ends a session.
@Suite("The suite that follows from a protocol over TCP alone") struct ConnectedSuiteTests {
  private static let lamp = """
    protocol: lamp
    carriers: [{name: tcp, over: tcp, port: 7000}]
    header: [{name: magic, type: text 2, equals: LP, is: identity}, {name: kind, type: u8, is: type}]
    messages:
      - {name: HELLO, type: 1, from: client, fields: [{name: session, type: u32}]}
      - {name: WELCOME, type: 2, from: host, fields: [{name: status, type: u8, codes: {0: OK, 1: BUSY}}]}
      - {name: GLOW, type: 3, from: host, fields: [{name: level, type: f32}]}
    session: {asked-by: HELLO, id: session, answered-by: [WELCOME], accepts: {status: OK}}
    streams: [{name: glow, message: GLOW, values: [level], in-session: true, neutral: {level: 0}}]
    """

  private static func results(_ system: String) async throws -> [ScenarioResult] {
    let suite = Suite.declared(by: try ProtocolFile.read(lamp, file: "lamp.yaml"))
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    return try await SuiteRunner(model).run(suite.scenarios.filter { model.parts.contains($0.setup.part) }).scenarios
  }

  @Test("Values turn off with the connection, and a client whose values stay on fails")
  func safeOnLoss() async throws {
    let endings = ["lamp.glow.safe-on-loss.close", "lamp.glow.safe-on-loss.reset"]
    let right = try await Self.results("lamp-client")
    #expect(right.allSatisfy { $0.verdict == .pass }, "\(right.filter { $0.verdict != .pass }.map(\.scenario.id))")
    #expect(right.map(\.scenario.id).filter(endings.contains) == endings)
    let wrong = try await Self.results("lamp-client+stays-on").filter { $0.verdict == .fail }.map(\.scenario.id)
    #expect(wrong == endings)
  }
}
