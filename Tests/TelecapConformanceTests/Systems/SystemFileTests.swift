import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapWire
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

  /// All but the events.
  private static let head = String(whole.split(separator: "- is: pose")[0])

  @Test("A program is asked to end by SIGTERM and has 2 s, unless its file says otherwise")
  func ending() throws {
    let file = try SystemFile("role: host\ncommand: [a]\naddresses: { udp: free }", file: "a.yaml", suites: .all)
    #expect(file.ending == .term && file.endsWithin == 2_000_000_000)
  }

  @Test("Every key of a file is read")
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
    "The event names of a file mean streams of its protocol, with the fields of their events",
    arguments: [
      ("pose", "tele", "pose", ["seq", "timestamp_us", "movement_start", "x", "y", "z", "qx", "qy", "qz", "qw"]),
      ("command", "tele", "cmd", ["cmd_type", "value", "changed"]), ("strength", "tele", "haptic", ["intensity"]),
      ("pointer", "mouse", "pointer", ["x", "y"]),
      ("buttons", "mouse", "buttons", ["buttons", "left", "right", "middle"]),
      ("scroll", "mouse", "scroll", ["scroll"]),
    ])
  func streams(name: String, owner: String, stream: String, fields: [String]) throws {
    let text = SystemFileTests.head + "- { is: \(name), when: { event: x } }\n"
    let file = try SystemFile(text, file: "a.yaml", suites: .all)
    let rule = try #require(file.rules.first)
    #expect(rule.name == name && rule.knownFields == fields && file.aspects == [.stream(stream)])
    #expect(rule.stream?.owner.name == owner && rule.stream?.rules.name == stream)
  }

  @Test("Only an event of the kind applied may name its stream")
  func ofStream() throws {
    for name in Suites.all.kinds.map(\.name) {
      let text = SystemFileTests.head + "- { is: \(name), stream: pose, when: { event: x } }\n"
      let error = try #require(throws: YAMLFileError.self) { try SystemFile(text, file: "a.yaml", suites: .all) }
      #expect("\(error)".contains("only \"is: applied\" has a stream"), "\(error)")
    }
  }

  @Test(
    "An error names its line, its column and the key that was probably meant",
    arguments: [
      (
        "role: hots",
        "s.yaml:1:7: \"role\": expected one of host, phone, mouse, mouse-host, ahap, haptics, touch, audio, senses, found \"hots\"; did you mean \"host\"?"
      ),
      ("role: host\ncomand: [a]", "s.yaml:2:1: unknown key \"comand\" in system; did you mean \"command\"?"),
      (
        "role: host\ncommand: [a]\nwith: { haptics: [b], quiet: [c] }\naddresses: { udp: free }",
        "s.yaml:3:30: \"quiet\" cannot be combined with \"haptics\": a host that can send forces sends them in every run"
      ),
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
        "role: host\ncommand: [a]\naddresses: { udp: free }\nactions: { move: m }",
        "s.yaml:4:18: a host is not made to move"
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
        "role: mouse-host\ncommand: [a]\naddresses: { udp: free }\nreuse: true\npointer: { start: [9, 0] }",
        "s.yaml:5:19: the program is kept for all scenarios, and its pointer begins each where the one before left it; "
          + "leave \"start\" out"
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
        "role: host\ncommand: [a]\naddresses: { udp: free }\nshows:\n  events:\n    - { is: pose, when: { a: b } }\n"
          + "    - { is: pose, when: { a: c } }\n    - { is: pose, when: { a: b } }",
        "s.yaml:8:13: line 6 has the same rule: each pose would be counted twice"
      ),
      (
        "role: host\ncommand: a\naddresses: { udp: free }",
        "s.yaml:2:10: \"command\": expected a list, each entry text, found \"a\"; write [a]"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nreuse: yes",
        "s.yaml:4:8: \"reuse\": expected true or false, found \"yes\"; write true"
      ),
      (
        "role: host\ncommand: [a]\naddresses: { udp: free }\nready: { after: 1 s }",
        "s.yaml:4:17: \"after\": expected a time with its unit, such as 20ms or 1.5s, found \"1 s\"; write 1s"
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

  @Test("A scenario that needs more than the file offers is unsupported, with the reason")
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

  @Test("A user's action is a line with its numbers; an action that the file lacks is unsupported")
  func deeds() throws {
    let file = try SystemFile(
      "role: mouse\ncommand: [a]\naddresses: { udp: free }\nactions: { connect: up, move: m $X $Y;$SCROLL }",
      file: "s.yaml", suites: .all)
    #expect(file.deed(for: MouseAction.connect, [:]) == .line("up"))
    #expect(file.deed(for: MouseAction.move(deltaX: 300, deltaY: -0.5, scroll: .nan), [:]) == .line("m 300 -0.5;nan"))
    #expect(file.isTold)
    func unsupported(_ action: MouseAction) -> String? {
      file.unsupported(Setup(part: .mouse), actions: [Action(time: .zero, peer: "host", work: .ask(action))])
    }
    #expect(unsupported(.connect) == nil)
    #expect(unsupported(.press(1)) == "its file does not say how to make it press buttons 1")
    #expect(
      unsupported(.report(deltaX: 1, deltaY: 0, scroll: 0, buttons: 0))
        == "nothing shows here what a program does when asked to report 1, 0, scroll 0, buttons 0")
  }

  @Test("A user's action may be a command or a request, with the numbers and the ports of the run")
  func commandsAndRequests() throws {
    let file = try SystemFile(
      """
      role: mouse
      command: [a]
      addresses: { udp: free, http: free }
      actions:
        connect: { run: [./ctl, $UDP, up] }
        move: { post: "http://127.0.0.1:$HTTP/move?x=$X", body: '{"y": $Y, "price": "5$"}' }
      """, file: "s.yaml", suites: .all)
    let ports: [SystemFile.Variable: String] = [.udp: "5", .http: "80"]
    #expect(file.deed(for: MouseAction.connect, ports) == .run(["./ctl", "5", "up"]))
    #expect(
      file.deed(for: MouseAction.move(deltaX: 1e30, deltaY: 2, scroll: 0), ports)
        == .post("http://127.0.0.1:80/move?x=1e%2B30", body: "{\"y\": 2, \"price\": \"5$\"}"))
    #expect(file.deed(for: MouseAction.press(1), ports) == nil)
    #expect(!file.isTold && file.takesRequests)
  }

  @Test(
    "An action with an unknown variable, host or key is an error with its line and column",
    arguments: [
      (
        "actions: { move: m $X $Z }",
        "s.yaml:4:18: there is no $Z; there are $X, $Y, $SCROLL, $UDP, $CODE and $TELECAP; $$Z is $Z itself"
      ),
      (
        "actions: { press: { run: [a, $X] } }",
        "s.yaml:4:19: there is no $X; there are $BUTTONS, $UDP, $CODE and $TELECAP; $$X is $X itself"
      ),
      (
        "actions: { press: { post: \"http://127.0.0.1:$HTTP/\" } }",
        "s.yaml:4:19: there is no $HTTP here: \"addresses\" has no \"http\"; there are $BUTTONS, $UDP, $CODE and $TELECAP; "
          + "$$HTTP is $HTTP itself"
      ),
      (
        "actions: { press: { post: \"http://example.org:80/\" } }",
        "s.yaml:4:27: expected http://127.0.0.1:PORT/PATH, found \"http://example.org:80/\""
      ),
      ("actions: { press: { body: a } }", "s.yaml:4:19: \"press\" is a line, or has \"run\" or \"post\""),
      ("actions: { press: { run: [a], body: b } }", "s.yaml:4:37: \"press\" has \"run\": leave this out"),
      ("actions: { press: { run: [] } }", "s.yaml:4:26: \"run\" names no program"),
    ])
  func wrongDeeds(_ text: String, _ complaint: String) {
    let error = #expect(throws: YAMLFileError.self) {
      try SystemFile("role: mouse\ncommand: [a]\naddresses: { udp: free }\n\(text)", file: "s.yaml", suites: .all)
    }
    #expect(error?.description == complaint)
  }

  @Test("The old name of actions is read, and both together are an error")
  func oldName() throws {
    func file(_ actions: String) throws -> SystemFile {
      try SystemFile(
        "role: mouse\ncommand: [a]\naddresses: { udp: free }\n\(actions)", file: "s.yaml", suites: .all)
    }
    #expect(try file("does: { connect: up }").deed(for: MouseAction.connect, [:]) == .line("up"))
    let error = #expect(throws: YAMLFileError.self) { try file("does: { connect: a }\nactions: { connect: b }") }
    #expect(error?.description == "s.yaml:4:7: \"does\" is the old name of \"actions\": keep \"actions\"")
  }

  @Test(
    "Every role, with any addresses and actions, has a scenario for the check",
    arguments: [
      ("mouse-host", "udp: free", ""), ("mouse-host", "tcp: free", ""), ("mouse-host", "udp: free, tcp: free", ""),
      ("mouse", "udp: free", ""), ("mouse", "udp: free", "actions: { connect: c }"),
      ("mouse", "udp: free, tcp: free", "actions: { connect: c, move: m }"), ("host", "tcp: free", ""),
      ("phone", "udp: free", ""),
    ])
  func checks(_ role: String, _ addresses: String, _ more: String) throws {
    let text = "role: \(role)\ncommand: [a]\naddresses: { \(addresses) }\n\(more)"
    let file = try SystemFile(text, file: "s.yaml", suites: .all)
    #expect(try !Suites.all.check(of: file).isEmpty)
  }

  @Test("Variables are replaced, and other dollar signs stay")
  func variables() {
    let values: [SystemFile.Variable: String] = [.udp: "5", .code: "ABC123"]
    #expect(SystemFile.expand("$UDP:${UDP}0 $CODE.", values) == "5:50 ABC123.")
    #expect(SystemFile.expand("$$HOME $${UDP} $1 $(x) $ $! echo $$", values) == "$HOME ${UDP} $1 $(x) $ $! echo $$")
  }

  @Test(
    "The error for a variable that is unknown or has no value here names the known ones",
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

  @Test("A system's own code replaces the scenario's, also across pieces of a stream")
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
  private static func scenario(_ id: String, _ seconds: Int64, breadth: Int = 1) throws -> Scenario {
    let requirement = id.split(separator: ".").prefix(3).joined(separator: ".")
    var scenario = try Scenario(
      "# A test.\nrequirement: \(requirement)\nrole: host\nsteps:\n  - { at: 0s, send: HELLO, answer: OK }",
      path: id.replacing(".", with: "/") + ".yaml", file: "test.yaml", suites: .all)
    scenario.end = Timestamp(nanoseconds: seconds * 1_000_000_000 - 200_000_000)
    scenario.combinations = Array(repeating: .none, count: breadth)
    scenario.seeds = 3
    return scenario
  }

  @Test("The longest scenarios are left out until one case of each fits; the rest goes to the grids")
  func sample() throws {
    let name = "tele.hello.ack-every"
    let all = [
      try Self.scenario("\(name).a", 1), try Self.scenario("\(name).b", 2, breadth: 9),
      try Self.scenario("\(name).c", 60),
    ]
    let sample = Sample(of: all, within: 10_000_000_000)
    #expect(sample.scenarios.map(\.id) == all[..<2].map(\.id))
    #expect(sample.scenarios.map { $0.cases().count } == [1, 4])
    #expect(sample.notRun.map(\.verdict) == [.notRun])
    #expect(sample.notRun[0].shown.reason == "it takes 60.0 s on the wall clock: give more time")
    #expect(Sample(of: all, within: .max / 2).scenarios.map { $0.cases().count } == [1, 9, 1])
  }

  @Test("Each requirement has one scenario before any has two; those of a tenth of the time come last")
  func everyRequirement() throws {
    let short = try (0..<60).map { try Self.scenario("tele.hello.ack-every.a\($0)", 1) }
    let long = [
      try Self.scenario("tele.hello.version.b", 4), try Self.scenario("tele.session.timeout.c", 5),
      try Self.scenario("tele.tcp.hello-timeout.d", 20),
    ]
    func chosen(_ seconds: Int64) -> (short: Int, long: [String]) {
      let chosen = Sample(of: short + long, within: seconds * 1_000_000_000).scenarios.map(\.id)
      return (
        chosen.count { $0.contains("ack-every") },
        chosen.compactMap { $0.hasPrefix("tele.hello.ack") ? nil : String($0.suffix(1)) }
      )
    }
    #expect(chosen(50) == (41, ["b", "c"]) && chosen(49) == (45, ["b"]))
    #expect(chosen(88) == (60, ["b", "c"]) && chosen(89) == (60, ["b", "c", "d"]))
  }

  @Test("A must has its time before a should, except for the first case of each requirement")
  func mustsFirst() throws {
    let all = try [
      Self.scenario("tele.hello.version.a", 1), Self.scenario("tele.hello.version.b", 1),
      Self.scenario("tele.hello.ack-every.c", 1), Self.scenario("tele.hello.ack-every.d", 7),
    ]
    func chosen(_ seconds: Int64) -> [String] {
      Sample(of: all, within: seconds * 1_000_000_000).scenarios.map { String($0.id.suffix(1)) }
    }
    #expect(chosen(10) == ["a", "b", "c", "d"] && chosen(9) == ["a", "c", "d"])
    #expect(Sample(of: all, within: 8_000_000_000, jobs: 2).leftOut.isEmpty)
  }

  @Test("Each seed of a case needs its own time")
  func seeds() throws {
    let one = [try Self.scenario("tele.hello.ack-every.a", 1, breadth: 9)]
    func cases(_ seconds: Int64, _ seeds: Int) -> Int? {
      Sample(of: one, within: seconds * 1_000_000_000, seeds: seeds).scenarios.first?.cases().count
    }
    #expect(cases(9, 1) == 9 && cases(9, 2) == 4 && cases(9, 9) == 1 && cases(9, 10) == nil)
  }
}
