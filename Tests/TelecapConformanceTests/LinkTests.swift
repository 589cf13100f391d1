import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

/// TELE over Bluetooth: the scenarios that run over it, and whether they distinguish wrong systems from right ones
/// alone.
@Suite struct LinkTests {
  private func read(_ requirement: String, _ role: String, _ body: String) throws -> [Scenario] {
    try Scenario.read(
      "# A.\nrequirement: \(requirement)\nrole: \(role)\n\(body)\n",
      path: requirement.replacing(".", with: "/") + ".yaml", file: "s.yaml", suites: .all)
  }

  @Test("Over Bluetooth the code replaces HELLO")
  func theCodeAloneStandsForHello() throws {
    let scenarios = try read(
      "tele.pose.duplicate", "host",
      "code: AB12CD\nsteps: [{send: HELLO, with: {session_id: 7}, answer: OK}, {send: POSE}]"
    )
    #expect(scenarios.map(\.id) == ["tele.pose.duplicate", "tele.pose.duplicate.tcp", "tele.pose.duplicate.ble"])
    let link = scenarios[2]
    guard case .send(let auth, _) = link.steps[0].work, case .send(let pose, _) = link.steps[1].work else {
      Issue.record("\(link.steps)")
      return
    }
    #expect(auth == [Array("AB12CD".utf8)])
    #expect(pose.map(\.count) == [46])
    // Nothing answers, and nothing is cut.
    #expect(link.steps.map(\.answers) == [[], []])
    #expect(link.cases().map(\.pieces) == [nil])
  }

  @Test(
    "A scenario without meaning over Bluetooth does not run there",
    arguments: [
      "steps: [{send: HELLO}, {send: BYE}, {send: POSE}]", "steps: [{send: HELLO}, {send: HELLO}, {send: POSE}]",
      "steps: [{send: HELLO, count: 2}, {send: POSE}]", "steps: [{send: HELLO, with: {version: 2}}, {send: POSE}]",
      "steps: [{send: HELLO, set: {0: 1}}, {send: POSE}]", "steps: [{send: POSE, over: udp}]",
      "impair: {loss: 5%}\nsteps: [{send: HELLO}, {send: POSE}]",
    ])
  func meaningless(_ body: String) throws {
    #expect(!(try read("tele.pose.duplicate", "host", body)).contains { $0.setup.carrier == .ble })
  }

  @Test("A scenario that tests only an answer does not run over a transport without answers")
  func whatIsOnlyAnsweredDoesNotRunWhereNothingAnswers() throws {
    let scenarios = try read("tele.header.type", "host", "steps: [{send: HELLO, answer: OK}]")
    #expect(scenarios.map(\.setup.carrier) == [.udp, .tcp])
  }

  @Test(
    "The error for a step that does not apply over Bluetooth names its line and column",
    arguments: [
      ("tele.pose.duplicate", "host", "steps: [{send: BYE}]", "s.yaml:5:16: ble does not carry BYE"),
      (
        "tele.pose.duplicate", "host", "steps: [{from: a, send: HELLO}, {from: a@other, send: POSE}]",
        "s.yaml:5:40: a@other: the port of another peer at another address is one of datagrams"
      ),
      (
        "tele.pose.duplicate", "host", "steps: [{send: HELLO}, {send: HELLO}]",
        "s.yaml:5:31: over ble a link asks for a session once"
      ),
      (
        "tele.pose.duplicate", "host", "steps: [{send: HELLO, with: {reserved: 1}}]",
        "s.yaml:5:40: over ble, AUTH replaces HELLO, and has none of this"
      ),
      (
        "tele.haptic.zero-stops", "phone", "acknowledge: {with: BUSY}\nsteps: [{send: HAPTIC}]",
        "s.yaml:5:21: nothing answers over ble"
      ),
      (
        "tele.hello.busy", "host", "steps: [{send: HELLO}]", "s.yaml:4:10: tele.hello.busy does not apply over ble"
      ),
    ])
  func told(_ requirement: String, _ role: String, _ body: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try read(requirement, role, "carrier: ble\n\(body)") }
    #expect(error.map { "\($0)" } == problem)
  }

  @Test("Heartbeats are sent while the link is open and our side would answer")
  func signsOfLifeComeWhileTheLinkIsUpAndOurSideWouldAnswer() throws {
    let body = """
      carrier: ble
      acknowledge: [{from: 100ms, until: 1200ms}, {from: 2s}]
      steps: [{at: 2600ms, close: true}, {at: 3s, open: true}]
      end: 3600ms
      expect: {streams: all}
      """
    let scenario = try read("tele.session.safe-on-loss", "phone", body)[0]
    let beats = scenario.script(for: Case()).meant.filter { if case .send = $0.work { true } else { false } }
    #expect(beats.map { $0.time.nanoseconds / 1_000_000 } == [100, 600, 1100, 2000, 2500, 3000, 3500])
    #expect(scenario.acknowledges == [])
  }

  @Test("A system with socket addresses is unsupported over Bluetooth")
  func aSystemBehindSocketsIsNotSpokenToOverBluetooth() throws {
    let text = "role: host\ncommand: [x]\nready: {after: 1s}\naddresses: {udp: 127.0.0.1:50000}\n"
    let file = try SystemFile(text, file: "x.yaml", suites: .all)
    let setup = Setup(part: .host, carrier: .ble)
    #expect(file.unsupported(setup, actions: []) == "telecap has no Bluetooth to send over")
  }

  /// The faults that do not show over Bluetooth: they are about HELLO, ACK, BYE, a stream's frames, or silence, which
  /// ends nothing there.
  private static let elsewhere: [String: Set<String>] = [
    "host": [
      "acks-once", "never-busy", "silent-on-bad-code", "identity-unchecked", "any-hello-version", "never-times-out",
      "any-bye", "ignores-bye", "read-is-frame", "ignores-bad-length", "reserved-in-ack", "sends-to-refused",
      "waits-for-hello", "keeps-refused", "keeps-other-version", "second-hello-begins-again",
      "old-bye", "wrong-code-keeps-alive", "ports-alone",
    ],
    "phone": [
      "stops-hello", "slow-hello", "read-is-frame", "new-identity", "reserved-in-hello",
      "refusal-is-ok", "tenth-is-ok", "any-bye", "ignores-bye", "same-session-again", "no-bye", "two-hellos",
      "begins-again",
    ],
  ]

  @Test(
    "Over Bluetooth alone every mutant is caught whose fault shows there",
    arguments: sampled([PartModel.host, .phone], oneIn: 2))
  func caught(_ model: PartModel) async throws {
    // Ten thousand mutated messages are for the table of all of them.
    let driven = try ScenarioFiles.all(of: model.part).filter {
      $0.setup.carrier == .ble && $0.requirement.id != "tele.robust.mutations"
    }.sorted { $0.end < $1.end }
    // Requirements that every run tests have no file.
    let always = Suites.all.scenarios.filter { $0.setup.part == model.part && $0.isJudgedInEveryRun }
    #expect(driven.count > 20 && !always.isEmpty)
    let elsewhere = LinkTests.elsewhere[model.part.name] ?? []
    for fault in model.faults {
      let runner = SuiteRunner(ModelSystem(model, fault: fault))
      var failed: String?
      for scenario in driven where failed == nil {
        failed = try await runner.run([scenario] + always).scenarios.first { $0.verdict == .fail }?.scenario.id
      }
      #expect((failed == nil) == elsewhere.contains(fault), "\(model)+\(fault) fails \(failed ?? "nothing")")
    }
  }
}
