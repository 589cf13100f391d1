import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import Testing

@Suite("System files")
struct SystemFileTests {
  private static let whole = """
    role: host
    command: [python3, host.py, --port, $UDP]
    with: { haptics: [--forces, sine] }
    environment: { LEVEL: 3 }
    directory: build
    ready: { line: up and running, within: 3s }
    addresses: { udp: free, tcp: "127.0.0.1:50000" }
    code: XYZ789
    end: { signal: int, within: 1s }
    shows:
      from: [stderr, { file: events.jsonl }, { udp: free }]
      events:
        - is: pose
          when: { type: [pose, p], arm.side: left }
          fields: { x: { path: at.x, times: 0.001 }, y: at.y }
        - { is: command, when: { type: cmd }, fields: { cmd_type: { path: k, words: { rec: 1 } }, value: { value: 1 } } }
    """

  @Test("Everything that a file says is understood")
  func decodes() throws {
    let file = try SystemFile(SystemFileTests.whole, file: "dir/robot.yaml", suites: .all)
    #expect(file.name == "robot")
    #expect(file.part == .host)
    #expect(file.command == ["python3", "host.py", "--port", "$UDP"])
    #expect(file.environment == ["LEVEL": "3"])
    #expect(file.readiness == .line("up and running"))
    #expect(file.readyWithin == 3_000_000_000)
    #expect(file.udp == .free)
    #expect(file.tcp == .fixed("127.0.0.1:50000"))
    #expect(file.code == "XYZ789")
    #expect(file.ending == .int)
    #expect(file.sources == [.stderr, .file("events.jsonl"), .udp(0)])
    #expect(file.rules.map(\.kind) == [.pose, .command])
    #expect(file.aspects == [.poses, .commands])
    #expect(file.command(for: Setup(part: .host, sendsHaptics: true)).suffix(2) == ["--forces", "sine"])
  }

  @Test(
    "A mistake is told with its place and the key that was probably meant",
    arguments: [
      (
        "role: hots",
        "s.yaml:1:7: \"role\": expected one of host, phone, mouse, mouse-host, ahap, haptics, touch, found \"hots\"; did you mean \"host\"?"
      ),
      ("role: host\ncomand: [a]", "s.yaml:2:1: unknown key \"comand\" in system; did you mean \"command\"?"),
      (
        "role: host\ncommand: [a]\naddresses: { upd: free }",
        "s.yaml:3:14: unknown key \"upd\" in addresses; did you mean \"udp\"?"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: nowhere }",
        "s.yaml:3:19: expected HOST:PORT or free, found \"nowhere\""
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nready: { line: a, after: 1s }",
        "s.yaml:4:26: \"ready\" names two ways to know: keep one"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nshows:\n  events:\n    - is: pose\n      fields: { sequence: a }",
        "s.yaml:7:17: pose has no field \"sequence\"; it has seq, timestamp_us, movement_start, x, y, z, qx, qy, qz, qw"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nshows:\n  events:\n    - is: command\n      fields: { vale: a }",
        "s.yaml:7:17: command has no field \"vale\"; did you mean \"value\"?"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\ndoes: { move: m }",
        "s.yaml:4:15: a host is not made to move"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\npointer: { screen: 9x9 }",
        "s.yaml:4:10: a host has no \"pointer\"; leave it out"
      ),
      (
        "role: mouse-host\ncommand: [a]\naddresses: { udp: free }\npointer: { screen: wide }",
        "s.yaml:4:20: expected a size such as 1920x1080, found \"wide\""
      ),
      (
        "role: mouse-host\ncommand: [a]\naddresses: { udp: free }\npointer: { screen: 9x9, start: [9, 0] }",
        "s.yaml:4:32: \"start\" is not on a screen of 9 × 9"
      ),
      (
        "role: mouse\ncommand: [a]\naddresses: { udp: free }\npointer: { screen: 9x9 }",
        "s.yaml:4:10: a mouse has no \"pointer\"; leave it out"
      ),
      (
        "role: phone\ncommand: [a]\naddresses: { udp: free }\nhaptic-rate: 30",
        "s.yaml:4:14: a phone has no \"haptic-rate\"; leave it out"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nhaptic-rate: 0",
        "s.yaml:4:14: expected a rate above 0 and up to 1000, found 0"
      ),
    ])
  func mistakes(text: String, complaint: String) {
    let error = #expect(throws: YAMLFileError.self) { try SystemFile(text, file: "s.yaml", suites: .all) }
    #expect(error?.description == complaint)
  }

  @Test("What a scenario needs and the file does not offer is unsupported, with the reason")
  func unsupported() throws {
    let file = try SystemFile("role: host\ncommand: [a]\naddresses: { udp: free }", file: "s.yaml", suites: .all)
    #expect(file.unsupported(Setup(part: .host), actions: []) == nil)
    #expect(file.unsupported(Setup(part: .phone), actions: []) == "it is a host, not a phone")
    #expect(
      file.unsupported(Setup(part: .host, carrier: .tcp), actions: [])
        == "it speaks no TCP: its file names no address for it")
    #expect(
      file.unsupported(Setup(part: .host, sendsHaptics: true), actions: [])
        == "its file does not say how it sends HAPTIC")
    #expect(
      file.unsupported(Setup(part: .host), actions: [Action(time: .zero, peer: "a", work: .ask(MouseAction.connect))])
        == "nobody can press its buttons")
  }

  @Test("What a user does is a line with its numbers; what the file does not say is unsupported")
  func deeds() throws {
    let file = try SystemFile(
      "role: mouse\ncommand: [a]\naddresses: { udp: free }\ndoes: { connect: up, move: m $X $Y;$SCROLL }",
      file: "s.yaml", suites: .all)
    #expect(file.line(for: MouseAction.connect) == "up")
    #expect(file.line(for: MouseAction.move(deltaX: 300, deltaY: -0.5, scroll: .nan)) == "m 300 -0.5;nan")
    func unsupported(_ action: MouseAction) -> String? {
      file.unsupported(Setup(part: .mouse), actions: [Action(time: .zero, peer: "host", work: .ask(action))])
    }
    #expect(unsupported(.connect) == nil)
    #expect(unsupported(.press(1)) == "its file does not say how to make it press buttons 1")
    #expect(
      unsupported(.report(deltaX: 1, deltaY: 0, scroll: 0, buttons: 0))
        == "nothing shows here what a program does when asked to report 1, 0, scroll 0, buttons 0")
  }

  @Test("Variables are replaced, and other dollars stay")
  func variables() {
    let values: [SystemFile.Variable: String] = [.udp: "5", .code: "ABC123"]
    #expect(SystemFile.expand("$UDP:${UDP}0 $CODE.", values) == "5:50 ABC123.")
    #expect(SystemFile.expand("$$HOME $${UDP} $1 $(x) $ $! echo $$", values) == "$HOME ${UDP} $1 $(x) $ $! echo $$")
  }

  @Test(
    "A name that there is not, that goes on, or that has no value here, is told with those that there are",
    arguments: [
      (
        "command: [a, $UDPPORT]",
        "s.yaml:2:14: there is no $UDPPORT; there are $UDP, $CODE and $TELECAP; write ${UDP} where more letters follow; "
          + "$$UDPPORT is $UDPPORT itself"
      ),
      (
        "command: [a]\nwith: { udp: [--at, '$PORT'] }",
        "s.yaml:3:21: there is no $PORT; there are $UDP, $CODE and $TELECAP; $$PORT is $PORT itself"
      ),
      (
        "command: [a]\nenvironment: { P: $TCP }",
        "s.yaml:3:19: there is no $TCP here: \"addresses\" has no \"tcp\"; there are $UDP, $CODE and $TELECAP; "
          + "$$TCP is $TCP itself"
      ),
      (
        "command: [a, '${EVENTS}']",
        "s.yaml:2:14: there is no $EVENTS here: \"from\" has no \"udp\"; there are $UDP, $CODE and $TELECAP; "
          + "$$EVENTS is $EVENTS itself"
      ),
    ])
  func names(_ text: String, _ complaint: String) {
    let error = #expect(throws: YAMLFileError.self) {
      try SystemFile("role: host\n\(text)\naddresses: { udp: free }", file: "s.yaml", suites: .all)
    }
    #expect(error?.description == complaint)
  }

  @Test("A system's own code takes the place of the scenario's, also where a stream is cut within it")
  func code() throws {
    let hello = Array("TELE.....ABC123..".utf8)
    let pieces = [Array(hello[..<11]), Array(hello[11...])]
    var actions = pieces.map { Action(time: .zero, peer: "a", work: .send($0, over: .tcp)) }
    actions.append(Action(time: .zero, peer: "a", work: .send(hello, over: .udp)))
    let script = Script(
      actions: actions, meant: actions, plan: [], responder: .silent, setup: Setup(part: .host), end: .zero)
    let sent = script.replacingCode(with: "XYZ789").actions.map { action -> String in
      guard case .send(let bytes, _) = action.work else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(sent == ["TELE.....XY", "Z789..", "TELE.....XYZ789.."])
  }
}

@Suite("Samples for the wall clock")
struct SampleTests {
  @Test("The longest are left out until one case of each fits; the rest of the time goes to the grids")
  func sample() throws {
    func scenario(_ name: String, _ seconds: Int64, breadth: Int) throws -> Scenario {
      let id = "tele.hello.ack-every.\(name)"
      var scenario = try Scenario(
        "# A test.\nrequirement: tele.hello.ack-every\nrole: host\nsteps:\n  - { at: 0s, send: HELLO, answer: OK }",
        path: id.replacing(".", with: "/") + ".yaml", file: "test.yaml", suites: .all)
      scenario.end = Timestamp(nanoseconds: seconds * 1_000_000_000 - 200_000_000)
      scenario.combinations = Array(repeating: .none, count: breadth)
      scenario.seeds = 3
      return scenario
    }
    let all = [try scenario("a", 1, breadth: 1), try scenario("b", 2, breadth: 9), try scenario("c", 60, breadth: 1)]
    let sample = Sample(of: all, within: 10_000_000_000)
    #expect(sample.scenarios.map(\.id) == all[..<2].map(\.id))
    #expect(sample.scenarios.map { $0.cases().count } == [1, 4])
    #expect(sample.notRun.map(\.verdict) == [.notRun])
    #expect(sample.notRun[0].shown.reason == "it takes 60.0 s on the wall clock: give more time")
    #expect(Sample(of: all, within: .max / 2).scenarios.map { $0.cases().count } == [1, 9, 1])
  }
}
