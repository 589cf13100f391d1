@testable import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@Suite struct ScenarioDecoderTests {
  private func read(_ body: String, path: String = "tele/hello/busy.yaml") throws -> Scenario {
    try Scenario(
      "# A sentence.\nrequirement: tele.hello.busy\nrole: host\n\(body)\n", path: path, file: "s.yaml", suites: .all)
  }

  private func problem(_ body: String) -> String {
    do {
      _ = try read(body)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test("An error for a file of one very long word quotes only its beginning")
  func aFileThatIsOneLongWordIsQuotedAsFarAsAPersonReadsIt() {
    let error = problem("steps: []\nexpect: \(String(repeating: "y", count: 100_000))")
    #expect(error.hasPrefix("s.yaml:5:9: \"expect\": ") && error.hasSuffix("y…") && error.count < 2_100, "\(error)")
  }

  @Test("The keys of a network are the options of the impairment list")
  func theNetworksKeysAreTheListsOptions() throws {
    func keys(_ name: String) -> [String] {
      guard case .mapping(let shape)? = Suites.all.shape.keys.first(where: { $0.name == name })?.type else {
        return []
      }
      return shape.keys.map(\.name)
    }
    let options = ImpairmentList.all.optionsInOrder
    #expect(keys("impair") == ["network"] + options.map(\.name) + ["only", "from"])
    #expect(keys("grid") == ["network"] + options.filter { !$0.isFlag }.map(\.name) + ["pieces"])
    let scenario = try read(
      "steps: []\nimpair: {jitter: 5 ms, keep-order: true, loss: none}\nexpect: {poses: [1]}\ngrid: {delay: [none, 1ms]}"
    )
    #expect(
      scenario.combinations.map(\.description) == [
        "--delay 0s --jitter 5ms --keep-order", "--delay 1ms --jitter 5ms --keep-order",
      ])
  }

  @Test("Impairments next to a network profile override it")
  func whatStandsBesideANamedNetworkCountsMore() throws {
    let networks = ["far": "--delay 50ms --jitter 5ms", "lossy": "--loss 5%"]
    func combinations(_ body: String) throws -> [String] {
      let text = "# A.\nrequirement: tele.hello.busy\nrole: host\nsteps: []\nexpect: {poses: [1]}\n\(body)\n"
      return try Scenario(
        text, path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all,
        networks: { try Impairments(parsing: networks[$0] ?? "--no") }
      ).combinations.map(\.description)
    }
    #expect(try combinations("impair: {network: far, jitter: 1ms}") == ["--delay 50ms --jitter 1ms"])
    #expect(
      try combinations("impair: {jitter: 1ms}\ngrid: {network: [none, far, lossy]}") == [
        "--delay 0s --jitter 1ms", "--delay 50ms --jitter 1ms", "--loss 5% --delay 0s --jitter 1ms",
      ])
    #expect(try combinations("impair: {network: far, only: [POSE]}") == ["--delay 50ms --jitter 5ms"])
    #expect(throws: YAMLFileError.self) { try combinations("impair: {network: near}") }
  }

  @Test(
    "An error in a scenario names its line and column",
    arguments: [
      (
        "steps:\n  - {from: b@other, send: HELLO}",
        "s.yaml:5:12: there is no b whose port it could have"
      ),
      ("stpes: []", "s.yaml:4:1: unknown key \"stpes\" in scenario; did you mean \"steps\"?"),
      (
        "steps:\n  - {at: 1s, sned: HELLO}",
        "s.yaml:5:14: unknown key \"sned\" in step; did you mean \"send\"?"
      ),
      (
        "steps:\n  - {at: 5, send: HELLO}",
        "s.yaml:5:10: \"at\": expected a time with its unit, such as 20ms or 1.5s, found \"5\"; write 5ms or 5s"
      ),
      ("seeds: many", "s.yaml:4:8: \"seeds\": expected a whole number, found \"many\""),
      ("seeds: \"3\"", "s.yaml:4:8: \"seeds\": expected a whole number, found \"3\"; write 3, without quotes"),
      (
        "steps: {at: 0s}",
        "s.yaml:4:8: \"steps\": expected a list, each entry a mapping (step), found a mapping; an entry begins with \"- \": write \"- at: …\""
      ),
      (
        "steps:\n  - {send: HELLO, with: {sesion_id: 1}}",
        "s.yaml:5:37: HELLO has no field \"sesion_id\"; did you mean \"session_id\"?"
      ),
      (
        "steps:\n  - {at: 0s}",
        "s.yaml:5:5: a step has one of send, hex, touch, open, close, reset, end-session, ask and capture, found 0"
      ),
      (
        "steps:\n  - {send: POSE, keep: 6}", "s.yaml:5:24: \"keep\" requires \"mutate\""
      ),
      (
        "impair: {loss: 150%}",
        "s.yaml:4:16: \"150%\" is more than 100%; expected a probability from 0% to 100%, such as 5% or 0.05"
      ),
      (
        "impair: {only: [POSE], from: 1s}\nsteps: [{send: HELLO, answer: OK}]",
        "s.yaml:4:9: no impairment is given: \"only\" and \"from\" select the messages that are impaired"
      ),
      (
        "carrier: [udp, tcp]\nimpair: {loss: 5%}",
        "s.yaml:4:10: a network impairs datagrams, and tcp has none"
      ),
      ("carrier: [tcp, tcp]", "s.yaml:4:10: a transport is named twice"),
      (
        "acknowledge: {with: BUSY}\nsteps: [{send: HELLO, answer: OK}]",
        "s.yaml:4:14: a host asks for nothing that is acknowledged"
      ),
      ("seeds: 1\nseeds: 2", "s.yaml:5:1: the key \"seeds\" is there already, at line 4, column 1: remove one"),
      ("steps: [", "s.yaml:5:1: the file ends within brackets or braces: close them"),
      ("seeds: 1", "s.yaml:2:1: the scenario expects nothing, so it could never fail"),
      (
        "steps:\n  - {capture: Captures/none.pcapng, as: phone}",
        "s.yaml:5:15: captures cannot be read here"
      ),
      ("steps: []\nimpair: {network: lte}\nexpect: {poses: [1]}", "s.yaml:5:19: networks cannot be read here"),
    ])
  func whatIsWrongIsNamedWithItsPlace(_ body: String, _ expected: String) {
    #expect(problem(body) == expected)
  }

  /// All messages of a file are made before the first of them is sent: on both sides of each bound.
  @Test(
    "The number and size of a step's messages are limited",
    arguments: sampled(
      [
        ("{send: POSE, count: 50000}", "none"),
        ("{send: POSE, count: 50001}", "5:25: 50001 messages, where all steps of a scenario send at most 50000"),
        ("{send: POSE, count: 30000}\n  - {send: POSE, count: 20001}", "6:5: 50001 messages, where all steps"),
        ("{send: POSE, count: 0}", "5:25: \"count\" is 1 or more"),
        ("{send: POSE, rate: 1e9, for: 50us}", "none"),
        ("{send: POSE, rate: 1e9, for: 50001ns}", "5:34: 50001 messages"),
        ("{send: POSE, rate: 1.1e9}", "5:24: \"rate\" is 0.001 to 1,000,000,000 a second"),
        ("{send: POSE, rate: 0.001, count: 3}", "none"),
        ("{send: POSE, rate: 0.0009}", "5:24: \"rate\" is 0.001 to"),
        ("{send: POSE, every: 10ms, for: 10ms}", "none"),
        ("{send: POSE, every: 10ms, for: 9ms}", "5:36: nothing is sent: \"for\" is shorter than from one to the next"),
        ("{send: POSE, every: 0s, for: 1s}", "5:34: \"for\" requires an \"every\" of more than 0"),
        ("{send: POSE, every: 10ms, rate: 100}", "5:37: \"rate\" and \"every\" set the same"),
        ("{send: POSE, count: 3, for: 1s}", "5:25: \"count\" and \"for\" set the same"),
        ("{send: POSE, mutate: 50000}", "none"),
        ("{send: POSE, mutate: 50001}", "5:26: 50001 messages"),
        ("{send: POSE, mutate: 0}", "5:26: \"mutate\" is 1 or more"),
        ("{send: POSE, count: 2500, lengths: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}", "none"),
        ("{send: POSE, count: 5001, lengths: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}", "5:40: 50010 messages"),
        ("{send: POSE, lengths: [64]}", "5:27: \"lengths\": no message is longer than 64"),
        ("{send: POSE, lengths: [-1]}", "5:27: \"lengths\": no message is longer than -1"),
        ("{send: POSE, set: {64: 1}}", "5:28: \"set\": no message has a byte at 64"),
        ("{open: true, count: 50001}", "5:25: 50001 messages"),
        ("{open: true, every: 24h, count: 50000}", "none"),
        ("{hex: []}", "5:5: \"hex\" is an empty list"),
        ("{hex: [00, 01], with: {seq: 1}}", "5:27: \"with\" has no effect on hex"),
        ("{open: true, mutate: 3}", "5:26: \"mutate\" has no effect on open"),
        ("{open: false}", "5:12: \"open\": false does nothing: leave the step out"),
        ("{end-session: true}", "5:19: a host asks for no session that could be ended"),
        ("{end-session: true, every: 1s}", "5:32: \"every\" has no effect on the end of a session"),
        ("{capture: a.pcapng, count: 3}", "5:32: \"count\" has no effect on a capture"),
        ("{send: POSE, as: phone}", "5:22: \"as\" requires \"capture\""),
      ], oneIn: 4))
  func whatAStepSendsIsBounded(_ steps: String, _ expected: String) {
    expect("steps:\n  - \(steps)\nexpect: {poses: [1]}", expected)
  }

  @Test(
    "end-session requires a session of the phone that is acknowledged",
    arguments: [
      ("acknowledge: true", "none"), ("acknowledge: {until: 2s}", "none"),
      ("acknowledge: false", "6:31: \"end-session\": no session is opened: nothing is acknowledged"),
    ])
  func aSessionOfAPhoneIsEndedWhereItIsAcknowledged(_ acknowledge: String, _ expected: String) {
    let steps = "steps: [{at: 1s, end-session: true}]\nexpect: {strengths: [0]}"
    let text = "role: phone\ncarrier: tcp\n\(acknowledge)\n\(steps)"
    var problem = "none"
    do {
      _ = try Scenario(
        "# A sentence.\nrequirement: tele.bye.closes\n\(text)\n", path: "tele/bye/closes.yaml", file: "s.yaml",
        suites: .all)
    } catch {
      problem = "\(error)"
    }
    #expect(problem == (expected == "none" ? expected : "s.yaml:\(expected)"))
  }

  /// Fails unless what is wrong with a file begins with this; `none`: nothing is.
  private func expect(_ body: String, _ expected: String) {
    let problem = problem(body)
    #expect(problem == "none" ? expected == "none" : problem.hasPrefix("s.yaml:\(expected)"), "\(problem)")
  }

  @Test(
    "The number of a scenario's cases is limited",
    arguments: [
      ("carrier: udp\nseeds: 100000", "none"), ("carrier: udp\nseeds: 100001", "7:8: \"seeds\" is 1 to 100000"),
      // Over TCP each is run whole and byte by byte.
      ("seeds: 50000", "none"), ("seeds: 50001", "6:8: \"seeds\" is 1 to 50000 for each of 2 combinations"),
      ("seeds: 0", "6:8: \"seeds\" is 1 to 100000"),
      ("grid: {loss: [1%, 2%]}\nseeds: 50000", "none"),
      ("grid: {loss: [1%, 2%]}\nseeds: 50001", "7:8: \"seeds\" is 1 to 50000 for each of 2 combinations"),
      ("carrier: tcp\ngrid: {pieces: [1, 2]}\nseeds: 50000", "none"),
      ("carrier: tcp\ngrid: {pieces: [1, 2]}\nseeds: 50001", "8:8: \"seeds\" is 1 to 50000 for each of 2 combinations"),
      ("carrier: tcp\ngrid: {pieces: [-1]}", "7:16: \"pieces\" are sizes in bytes, 0 for whole"),
      ("grid: {loss: []}", "6:14: \"loss\" is an empty list: no case is left"),
      ("grid: {loss: \(list(100)), duplicate: \(list(100))}", "none"),
      ("grid: {loss: \(list(100)), duplicate: \(list(101))}", "6:517: more than 10000 combinations"),
    ])
  func theCasesOfAScenarioAreBounded(_ body: String, _ expected: String) {
    expect("steps: [{send: POSE}]\nexpect: {poses: [1]}\n\(body)", expected)
  }

  private static func list(_ count: Int) -> String {
    "[\((1...count).map { "\($0 % 100)%" }.joined(separator: ", "))]"
  }

  @Test("A list of byte values gives each message the next value")
  func ofSeveralBytesEachMessageTakesTheNext() throws {
    let step = try read("steps: [{hex: [00, \"01\"], count: 3}]\nexpect: {poses: [1]}").steps[0]
    guard case .send(let messages, _) = step.work else { return #expect(Bool(false)) }
    #expect(messages == [[0], [1], [0]])
  }

  @Test("An unknown role is named with the one meant")
  func anUnknownRoleIsNamedWithTheOneMeant() {
    #expect(throws: YAMLFileError.self) {
      try Scenario(
        "# A.\nrequirement: tele.hello.busy\nrole: hots\n", path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all)
    }
    do {
      _ = try Scenario(
        "# A.\nrequirement: tele.hello.bsy\nrole: host\n", path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all)
      Issue.record("an unknown requirement was taken")
    } catch {
      #expect(
        "\(error)" == "s.yaml:2:14: unknown requirement \"tele.hello.bsy\"; did you mean \"tele.hello.busy\"?")
    }
  }

  @Test("The path of a scenario must match its requirement")
  func thePathMirrorsTheRequirement() {
    #expect(throws: YAMLFileError.self) {
      try read("steps: [{send: HELLO, answer: OK}]", path: "tele/hello/version.yaml")
    }
    #expect(throws: Never.self) {
      try read("steps: [{send: HELLO, answer: OK}]", path: "tele/hello/busy.twice.yaml")
    }
  }

  @Test("The error for a missing capture names its line and column")
  func aMissingCaptureIsNamedWithItsPlace() {
    struct Missing: Error, CustomStringConvertible { let description = "no such file" }
    do {
      _ = try Scenario(
        "# A.\nrequirement: tele.hello.busy\nrole: host\nsteps:\n  - capture: Captures/none.pcapng\n",
        path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all, captures: { _, _ in throw Missing() })
      Issue.record("a missing capture was taken")
    } catch {
      #expect("\(error)" == "s.yaml:5:14: the capture \"Captures/none.pcapng\": no such file")
    }
  }

  @Test("A pause in a capture may last thirty days and no longer", arguments: [0, 1] as [Nanoseconds])
  func aCaptureStandsStillForThirtyDaysAndNoLonger(beyond: Nanoseconds) {
    let far = 5 + Script.longestStandstill + beyond
    do {
      _ = try Scenario(
        "# A.\nrequirement: tele.hello.busy\nrole: host\nsteps:\n  - capture: a.pcapng\nexpect: {poses: []}\n",
        path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all,
        captures: { _, _ in
          [5, far, 7].map { CapturedPayload(time: $0, carrier: .udp, bytes: [1]) }
        })
      #expect(beyond == 0)
    } catch {
      let why = "s.yaml:5:14: the capture \"a.pcapng\" has a pause of more than 30 days"
      #expect(beyond > 0 && "\(error)".hasPrefix(why))
    }
  }

  @Test("A capture becomes steps at its times")
  func aCaptureBecomesStepsAtItsTimes() throws {
    let scenario = try Scenario(
      "# A.\nrequirement: tele.hello.busy\nrole: host\nsteps:\n  - {at: 1s, capture: a.pcapng, as: phone}\n"
        + "expect: {poses: []}\n",
      path: "tele/hello/busy.yaml", file: "s.yaml", suites: .all,
      captures: { path, role in
        #expect(path == "a.pcapng" && role == .phone)
        return [
          CapturedPayload(time: 0, carrier: .udp, bytes: [1]), CapturedPayload(time: 5, carrier: .udp, bytes: [2]),
        ]
      })
    #expect(scenario.steps.map(\.time.nanoseconds) == [1_000_000_000, 1_000_000_005])
  }

  @Test("A stream of messages counts its seq and repeats its list of values")
  func aStreamCountsItsSeqAndTakesItsValuesInTurn() throws {
    let scenario = try read(
      "steps: [{at: 1s, send: POSE, with: {seq: 65535, y: [1, 2]}, rate: 50, for: 80ms}]\nexpect: {poses: []}")
    let script = scenario.script(for: Case())
    let poses = script.meant.compactMap { action -> PoseSample? in
      guard case .send(let bytes, .udp) = action.work else { return nil }
      return PoseSample(bytes.span.bytes)
    }
    #expect(poses.map(\.seq) == [65_535, 0, 1, 2])
    #expect(poses.map(\.position.y) == [1, 2, 1, 2])
    #expect(script.meant.map(\.time.nanoseconds) == [1_000_000_000, 1_020_000_000, 1_040_000_000, 1_060_000_000])
  }

  @Test("A grid runs every combination with every seed if anything is random")
  func aGridIsEveryCombinationWithEverySeedWhereSomethingIsRandom() throws {
    let scenario = try read(
      "steps: [{send: HELLO, answer: OK}]\ngrid: {loss: [0%, 5%], stall: [none, 1s@2s]}\nseeds: 3")
    let cases = scenario.cases().map(\.description)
    #expect(
      cases == [
        "--loss 0% --seed 1", "--loss 0% --seed 2", "--loss 0% --seed 3", "--loss 0% --stall 1s@2s --seed 1",
        "--loss 0% --stall 1s@2s --seed 2", "--loss 0% --stall 1s@2s --seed 3", "--loss 5% --seed 1",
        "--loss 5% --seed 2", "--loss 5% --seed 3", "--loss 5% --stall 1s@2s --seed 1",
        "--loss 5% --stall 1s@2s --seed 2", "--loss 5% --stall 1s@2s --seed 3",
      ])
  }

  @Test("More seeds repeat random cases, and on the wall clock all cases")
  func moreSeedsRepeatWhatIsRandomAndOnTheWallClockAll() throws {
    let text = "steps: [{send: HELLO, answer: OK}]\n"
    let (calm, random) = (try read(text), try read(text + "impair: {loss: 5%}"))
    #expect([calm, random].map { $0.cases(seeds: 5, isOnWallClock: false).count } == [1, 5])
    #expect([calm, random].map { $0.cases(seeds: 5, isOnWallClock: true).count } == [5, 5])
  }

  @Test("Pieces join bytes that are sent at once and cut them at the given size")
  func piecesJoinWhatIsSentAtOnceAndCutItEverySoManyBytes() throws {
    let text =
      "# A.\nrequirement: tele.tcp.framing\nrole: host\ncarrier: tcp\nsteps:\n"
      + "  - {at: 0s, send: CMD, count: 2, every: 0ms}\ngrid: {pieces: [3]}\nexpect: {commands: []}\n"
    let scenario = try Scenario(text, path: "tele/tcp/framing.yaml", file: "s.yaml", suites: .all)
    let script = scenario.script(for: try #require(scenario.cases().first))
    let pieces = script.actions.compactMap { action -> [UInt8]? in
      guard case .send(let bytes, .tcp) = action.work else { return nil }
      return bytes
    }
    let cmd: [UInt8] = [8, 0] + Message.cmd(Cmd.recording, true).bytes
    #expect(pieces.map(\.count) == [3, 3, 3, 3, 3, 3, 2])
    #expect(Array(pieces.joined()) == cmd + cmd)
  }

  /// Over TCP a mutation changes the frame too, unless it keeps something: then the frame is right, whatever is in it.
  @Test(
    "Mutations over TCP change the frame, unless they keep a field",
    arguments: [("mutations.tcp", false), ("mutations.phone.tcp", true)])
  func mutationsOverTCPChangeFramesUnlessTheyKeepSomething(_ name: String, _ isFramed: Bool) throws {
    let scenario = try ScenarioFiles.read("tele/robust/\(name).yaml")
    let mutated = scenario.steps.compactMap { step -> Step.Mutated? in
      if case .mutate(let mutated, _, _) = step.work { mutated } else { nil }
    }
    #expect(mutated.contains { $0.kept > 0 } == isFramed)
    for one in mutated {
      var mutations = Mutations(of: one, seed: 1)
      let frames = (0..<1_000).map { _ in mutations.next() }
      let right = frames.count { $0.count >= 2 && Int($0[0]) + 256 * Int($0[1]) == $0.count - 2 }
      #expect(one.kept > 0 ? right == frames.count : (1..<900).contains(right))
    }
  }

  @Test("A case gives the same script each time, and another seed gives another script")
  func theSameCaseIsTheSameScriptAndAnotherSeedAnother() throws {
    let scenario = try ScenarioFiles.read("tele/pose/latest-value-wins.grid.yaml")
    let lossy = Case(impairments: try Impairments(parsing: "--loss 20% --jitter 10ms"), seed: 1)
    var other = lossy
    other.seed = 2
    #expect(scenario.script(for: lossy).plan == scenario.script(for: lossy).plan)
    #expect(scenario.script(for: lossy).plan != scenario.script(for: other).plan)
  }
}
