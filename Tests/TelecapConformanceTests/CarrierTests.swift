import TelecapConformance
import TelecapMouse
import TelecapRecording
import TelecapSuites
import Testing

/// A scenario does not name its transport: it runs over each transport to which its requirement applies.
@Suite struct CarrierTests {
  private func read(_ requirement: String, _ role: String, _ body: String) throws -> [Scenario] {
    try Scenario.read(
      "# A.\nrequirement: \(requirement)\nrole: \(role)\n\(body)\n",
      path: requirement.replacing(".", with: "/") + ".yaml", file: "s.yaml", suites: .all)
  }

  @Test("Each transport of the requirement has a scenario of its own")
  func eachCarrierOfTheRequirementHasAScenarioOfItsOwn() throws {
    let scenarios = try read("tele.hello.busy", "host", "steps: [{send: HELLO, answer: OK}]")
    #expect(scenarios.map(\.id) == ["tele.hello.busy", "tele.hello.busy.tcp"])
    #expect(scenarios.map(\.setup.carrier) == [.udp, .tcp])
    #expect(scenarios.map { $0.steps.map(\.carrier) } == [[.udp], [.tcp]])
    // Datagrams are not cut; streams come whole and at every byte.
    #expect(scenarios.map { $0.cases().map(\.pieces) } == [[nil], [nil, 1]])
  }

  @Test(
    "A transport to which the requirement or the scenario does not apply has no scenario",
    arguments: [
      ("tele.session.timeout", "host", "steps: [{send: HELLO, answer: OK}]", [Carrier.udp]),
      ("tele.tcp.bad-length", "host", "steps: [{send: HELLO, answer: OK}]", [.tcp]),
      ("tele.hello.busy", "host", "impair: {loss: 5%}\nsteps: [{send: HELLO, answer: OK}]", [.udp]),
      ("tele.hello.busy", "host", "carrier: tcp\nsteps: [{send: HELLO, answer: OK}]", [.tcp]),
      ("mouse.pointer.sum", "mouse-host", "steps: [{send: MOVEMENT}]", [.udp]),
    ])
  func noOtherOneHas(_ requirement: String, _ role: String, _ body: String, _ carriers: [Carrier]) throws {
    let scenarios = try read(requirement, role, body)
    #expect(scenarios.map(\.setup.carrier) == carriers)
    #expect(scenarios[0].id == requirement)
  }

  @Test(
    "A key without effect is an error with its line and column",
    arguments: [
      (
        "tele.session.timeout", "host", "carrier: tcp\nsteps: [{send: HELLO, answer: OK}]",
        "s.yaml:4:10: tele.session.timeout does not apply over tcp"
      ),
      (
        "mouse.pointer.sum", "mouse-host", "carrier: udp\nsteps: [{send: MOVEMENT}]",
        "s.yaml:4:10: a mouse-host has no choice of transports; leave it out"
      ),
      (
        "haptics.engine.restart", "haptics", "leave: true\nsteps: [{at: 0s, ask: {prepare: true}}]",
        "s.yaml:4:8: a haptics has no transport: its teardown cannot be tested"
      ),
    ])
  func whatHasNoEffectIsRefused(_ requirement: String, _ role: String, _ body: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try read(requirement, role, body) }
    #expect(error.map { "\($0)" } == problem)
  }

  @Test("Pieces cut streams over TCP, and datagrams stay whole")
  func datagramsAreNotCutWhereStreamsAre() throws {
    let scenarios = try read(
      "tele.hello.busy", "host", "steps: [{send: HELLO, answer: OK}]\ngrid: {pieces: [1, 2, 3]}")
    #expect(scenarios.map { $0.cases().map(\.pieces) } == [[nil], [1, 2, 3]])
  }

  @Test("The first answer whose time range includes the request is sent to the client")
  func aClientIsAnsweredWithTheFirstAnswerThatHolds() throws {
    let scenarios = try read(
      "tele.phone.refused", "phone",
      "acknowledge: [{until: 2s, with: BUSY}, {from: 3s, until: 4s}]\nend: 5s\nexpect: {strengths: []}")
    let answers = scenarios[0].acknowledges
    #expect(answers.map(\.from.nanoseconds) == [0, 3_000_000_000])
    #expect(answers.map(\.until.nanoseconds) == [2_000_000_000, 4_000_000_000])
    #expect(answers.map(\.answer) == [[0x54, 0x45, 0x4c, 0x45, 2, 1, 2, 0], [0x54, 0x45, 0x4c, 0x45, 2, 1, 0, 0]])
    // Over TCP in a frame, and twelve bytes long.
    #expect(scenarios[1].acknowledges.map(\.answer.count) == [14, 14])
  }
}
