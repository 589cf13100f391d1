import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// The rules on senders, sessions and requests that follow from a protocol file.
@Suite("The rules for messages that a side of a declared protocol sends") struct DeclaredSendingTests {
  /// A lamp with sessions that have ids, timeouts and a teardown, a request, and a stream either way.
  static let lamp = """
    protocol: lamp
    title: A lamp that a phone dims
    carriers: [{name: udp, over: udp, port: 7000}]
    header:
      - {name: magic, type: text 2, equals: LP, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: HELLO, type: 1, from: client, fields: [{name: session, type: u32}]}
      - {name: WELCOME, type: 2, from: host}
      - {name: BYE, type: 3, from: client, fields: [{name: session, type: u32}]}
      - {name: DIM, type: 4, from: client, fields: [{name: number, type: u16}, {name: level, type: f32, range: [0, 1]}]}
      - {name: STATE, type: 5, from: host, fields: [{name: number, type: u8}, {name: level, type: f32}]}
      - {name: NAME_REQUEST, type: 6, from: client}
      - {name: NAME, type: 7, from: host, fields: [{name: lamp, type: u8}]}
    session: {asked-by: HELLO, id: session, answered-by: [WELCOME], closed-by: BYE, timeout: 3s, keepalive: [HELLO]}
    requests: [{name: name, message: NAME_REQUEST, answered-by: [NAME]}]
    streams:
      - {name: level, message: DIM, order: number, values: [level], range: [0, 1], rate: 20}
      - {name: state, message: STATE, order: number, values: [level], interval: 500ms, rate: 10}
    """

  private static func suites(_ text: String, _ file: String) throws -> Suites {
    Suites([.declared(by: try ProtocolFile.read(text, file: file))])
  }

  /// The transports over which the lamp speaks: datagrams, frames with a length, and messages that show their own sizes.
  private static let carriers = ["udp, over: udp", "tcp, over: tcp", "tcp, over: tcp, framing: none"]

  /// The requirements that a model does not keep; it leaves none inconclusive.
  private static func failed(_ system: String, _ suites: Suites) async throws -> Set<String> {
    let model = try ModelSystem(parsing: "model:\(system)", in: suites)
    let scenarios = suites.scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    #expect(!results.isEmpty)
    if !system.contains("+") {
      #expect(results.filter { $0.verdict != .pass }.map(\.scenario.id) == [])
    }
    return Set(results.filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
  }

  @Test("Right peers pass with each transport", arguments: ["lamp-host", "lamp-client"], carriers)
  func right(_ part: String, over carrier: String) async throws {
    let text = Self.lamp.replacing("name: udp, over: udp", with: "name: \(carrier)")
    #expect(try await Self.failed(part, Self.suites(text, "lamp.yaml")) == [])
  }

  @Test("A right host answers each request with a message of the tested transport")
  func carriedAnswers() async throws {
    func text(_ answers: String) -> String {
      Self.lamp.replacing("port: 7000}]", with: "port: 7000}, {name: tcp, over: tcp, port: 7000}]")
        .replacing("{name: NAME, type: 7, from: host,", with: "{name: NAME, type: 7, from: host, over: [tcp],")
        .replacing(
          "session: {",
          with: "  - {name: SHORT, type: 8, from: host}\n  - {name: LONG, type: 9, from: host}\nsession: {"
        )
        .replacing(
          "answered-by: [NAME]}",
          with: "answered-by: [\(answers)]}, {name: long, message: NAME_REQUEST, answered-by: [LONG]}")
    }
    #expect(try await Self.failed("lamp-host", Self.suites(text("NAME, SHORT"), "lamp.yaml")) == [])
    // No answer goes over UDP: it is required over TCP alone.
    let suites = try Self.suites(text("NAME"), "lamp.yaml")
    #expect(try await Self.failed("lamp-host", suites) == [])
    #expect(
      suites.scenarios.map(\.id).filter { $0.contains(".answer") && !$0.hasSuffix(".always") } == [
        "lamp.session.answer", "lamp.long.answer", "lamp.session.answer.tcp", "lamp.name.answer.tcp",
        "lamp.long.answer.tcp",
      ])
  }

  @Test("A right client of long sessions passes every requirement")
  func longSession() async throws {
    let text = Self.lamp.replacing("timeout: 3s", with: "timeout: 60s")
    #expect(try await Self.failed("lamp-client", Self.suites(text, "lamp.yaml")) == [])
  }

  @Test(
    "Each wrong sender fails just the requirement of its fault",
    arguments: [
      ("lamp-host+repeats-numbers", ["state.sender-order"]),
      ("lamp-host+silent-at-rest", ["state.sender-interval"]),
      ("lamp-host+ignores-timeout", ["state.sender-session"]),
      ("lamp-host+ignores-teardown", ["state.sender-session"]),
      ("lamp-host+exceeds-rate", ["state.sender-rate"]),
      ("lamp-host+ignores-sessions", ["session.answer"]),
      ("lamp-host+ignores-requests", ["name.answer"]),
      ("lamp-client+no-keepalive", ["session.keepalive"]),
      ("lamp-client+opens-no-session", ["session.request"]),
      ("lamp-client+changes-id", ["session.id"]),
      ("lamp-client+no-teardown", ["session.teardown"]),
      ("lamp-client+repeats-numbers", ["level.sender-order"]),
      ("lamp-client+exceeds-rate", ["level.sender-rate"]),
    ])
  func wrongLamp(_ system: String, _ breaks: [String]) async throws {
    let failed = try await Self.failed(system, Self.suites(Self.lamp, "lamp.yaml"))
    #expect(failed.isSuperset(of: breaks.map { "lamp.\($0)" }))
    // A client that opens no session shows nothing else either.
    #expect(
      failed.subtracting(breaks.map { "lamp.\($0)" }).subtracting(["lamp.session.keepalive", "lamp.session.teardown"])
        == [])
  }

  @Test(
    "Three wrong servers and three wrong clients of DSU fail by name",
    arguments: [
      ("dsu-host+wrong-checksum", "dsu.host.well-formed"), ("dsu-host+silent-at-rest", "dsu.pad.sender-interval"),
      ("dsu-host+repeats-numbers", "dsu.pad.sender-order"), ("dsu-client+wrong-checksum", "dsu.client.well-formed"),
      ("dsu-client+no-keepalive", "dsu.session.keepalive"), ("dsu-client+opens-no-session", "dsu.session.request"),
    ])
  func wrongDSU(_ system: String, _ requirement: String) async throws {
    #expect(try await Self.failed(system, Self.suites(DSU.text, "dsu.yaml")).contains(requirement))
  }

  @Test("An invalid message is wrong only in the field under test", arguments: ["pad_request", "pad"])
  func invalidMessages(_ name: String) throws {
    let owner = try ProtocolFile.read(DSU.text, file: "dsu.yaml")
    let kind = try #require(owner[name.uppercased()])
    let scenarios = Suite.declared(by: owner).scenarios.filter {
      $0.id.hasSuffix(".\(name)") && !$0.id.hasSuffix("truncated.\(name)") && $0.requirement.id.contains("header")
    }
    #expect(scenarios.map(\.requirement.id) == owner.recognisedFields.map { "dsu.header.\($0)" })
    for scenario in scenarios {
      let sent = scenario.steps.flatMap { step -> [[UInt8]] in
        if case .send(let messages, _) = step.work { messages } else { [] }
      }
      let wrong = sent.filter { Message.decode($0.span.bytes, as: owner.dialects[0]).message == nil }
      #expect(wrong.count >= 2)
      for message in wrong {
        let errors = Message.decode(message.span.bytes, as: owner.dialects[0]).findings.filter { $0.severity == .error }
        #expect(errors.map(\.rule.id) == [scenario.requirement.id.replacing("dsu.", with: "")], "\(scenario.id)")
        // The decoder reports one error only; a receiver that looks at nothing but the checksum must take the message.
        let hasChecksum = Message.checksummed(message, as: kind) == message
        #expect(hasChecksum == !scenario.requirement.id.hasSuffix("crc32"), "\(scenario.id)")
      }
    }
  }

  @Test("A requirement that the declaration states is not marked as inferred")
  func inferred() throws {
    let requirements = try Self.suites(Self.lamp, "lamp.yaml").requirements
    let stated = requirements.filter { !$0.isDerived }.map(\.id)
    #expect(
      stated.filter { $0.hasSuffix("well-formed") || $0.hasSuffix(".answer") || $0.hasSuffix("rate") }.sorted() == [
        "lamp.client.well-formed", "lamp.host.well-formed", "lamp.level.sender-rate", "lamp.name.answer",
        "lamp.state.sender-rate",
      ])
  }

  @Test("Sessions of a day and the slowest rate need few messages", arguments: ["timeout: 86400s", "timeout: 10ms"])
  func extremes(_ timeout: String) async throws {
    let text = Self.lamp.replacing("timeout: 3s", with: timeout).replacing("rate: 10}", with: "rate: 0.001}")
      .replacing("interval: 500ms", with: "interval: 3600s")
    let suites = try Self.suites(text, "lamp.yaml")
    for scenario in suites.scenarios {
      let counts = scenario.steps.map { step in if case .send(let messages, _) = step.work { messages.count } else { 0 }
      }
      #expect(counts.allSatisfy { $0 <= 1_000 }, "\(scenario.id)")
    }
    let model = try #require(suites.models.first { $0.part.name == "lamp-host" })
    let scenario = try #require(suites.scenarios.first { $0.id == "lamp.session.answer" })
    #expect(try await SuiteRunner(ModelSystem(model)).run(Case(), of: scenario).verdict == .pass)
  }

  @Test(
    "No run waits for the timeout of a session for more than an hour", arguments: [("3600s", true), ("3601s", false)])
  func longTimeouts(_ timeout: String, isTested: Bool) throws {
    let suites = try Self.suites(Self.lamp.replacing("timeout: 3s", with: "timeout: \(timeout)"), "lamp.yaml")
    #expect(suites.requirements.contains { $0.id == "lamp.session.keepalive" } == isTested)
    let silence = try #require(suites.scenarios.first { $0.id == "lamp.state.sender-session" })
    #expect((silence.end > Timestamp(nanoseconds: 3_600_000_000_000)) == isTested)
    #expect(suites.models.contains { $0.faults.contains("no-keepalive") } == isTested)
    #expect(suites.models.contains { $0.faults.contains("ignores-timeout") } == isTested)
    #expect(suites.scenarios.allSatisfy { $0.end <= Timestamp(nanoseconds: 7_201_000_000_000) })
  }

  // MARK: - Borders

  /// A system whose run is written down: what it got and what it sent, by the ms.
  private struct Written: SystemUnderTest {
    let part: Part
    let log: RunLog
    var name: String { "written" }
    var parts: Set<Part> { [part] }
    func run(_ script: Script) async throws -> RunLog { log }
  }

  private enum Line {
    case got(Int64, String)
    case sent(Int64, String)
    case asked(Int64)
  }

  private static let hello = "4c5001 07000000"
  private static let bye = "4c5003 07000000"
  private static let welcome = "4c5002"
  private static let nameRequest = "4c5006"

  private static func state(_ number: Int) -> String { "4c5005" + Hex.text([UInt8(number)]) + "00000000" }

  /// The observed failures of one requirement in a written run; nil where the run did not exercise it.
  private static func failures(
    of requirement: String, _ side: Side, _ lines: [Line], until end: Int64, settle: Int64 = 0
  ) async throws -> [String]? {
    let owner = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    let part = Part(Role(owner, side))
    let peer = side == .host ? "a" : "host"
    var log = RunLog(shows: [], settle: settle * 1_000_000)
    for line in lines {
      switch line {
      case .got(let ms, let hex):
        let time = Timestamp(nanoseconds: ms * 1_000_000)
        log.note(.delivered(try #require(Hex.bytes(hex)), packet: 1, from: peer, over: .udp, sentAt: time), at: time)
      case .sent(let ms, let hex):
        log.note(
          .replied(try #require(Hex.bytes(hex)), to: peer, over: .udp), at: Timestamp(nanoseconds: ms * 1_000_000))
      case .asked(let ms): log.left = Timestamp(nanoseconds: ms * 1_000_000)
      }
    }
    log.end = Timestamp(nanoseconds: end * 1_000_000)
    let suites = Suites([.declared(by: owner)])
    let scenario = try #require(
      suites.scenarios.first {
        $0.setup.part == part && $0.requirement.id == "lamp.\(requirement)" && !$0.isJudgedInEveryRun
      })
    let result = try await SuiteRunner(Written(part: part, log: log)).run(Case(), of: scenario)
    return result.verdict == .inconclusive ? nil : result.breaches.map(\.observed)
  }

  @Test("A host may send until a third more than the timeout of its session")
  func sessionEnds() async throws {
    func failures(_ lines: [Line]) async throws -> [String]? {
      try await Self.failures(of: "state.sender-session", .host, lines, until: 20_000)
    }
    #expect(try await failures([]) == nil)
    #expect(try await failures([.sent(100, Self.state(1))]) == ["a got one without a request"])
    #expect(try await failures([.got(1_000, Self.hello), .sent(5_000, Self.state(1))]) == [])
    #expect(
      try await failures([.got(1_000, Self.hello), .sent(5_001, Self.state(1))]) == [
        "a got one after 4001 ms of its silence"
      ])
    // A keepalive begins the timeout anew; what is not one does not.
    #expect(try await failures([.got(1_000, Self.hello), .got(3_000, Self.hello), .sent(7_000, Self.state(1))]) == [])
    #expect(
      try await failures([.got(1_000, Self.hello), .got(3_000, Self.nameRequest), .sent(7_000, Self.state(1))])
        == ["a got one after 6000 ms of its silence"])
    // A session that timed out is opened again by a request.
    #expect(try await failures([.got(1_000, Self.hello), .got(9_000, Self.hello), .sent(9_500, Self.state(1))]) == [])
  }

  @Test("A host that sends after the teardown of its session's id fails")
  func teardown() async throws {
    func failures(_ closing: String) async throws -> [String]? {
      try await Self.failures(
        of: "state.sender-session", .host,
        [.got(1_000, Self.hello), .got(2_000, closing), .sent(2_001, Self.state(1))], until: 9_000)
    }
    #expect(try await failures(Self.bye) == ["a got one 1 ms after the end of its session"])
    #expect(try await failures("4c5003 08000000") == [])
    // Bytes after the message: a host may drop it.
    #expect(try await failures(Self.bye + "00") == [])
  }

  @Test("A host that must keep a session pauses no longer than the interval")
  func intervals() async throws {
    func failures(_ times: [Int64]) async throws -> [String]? {
      try await Self.failures(
        of: "state.sender-interval", .host,
        [.got(1_000, Self.hello)] + times.enumerated().map { .sent($1, Self.state($0)) }, until: 20_000)
    }
    // It must keep the session for 2.9 s: until 3.9 s.
    let whole = stride(from: Int64(1_500), through: 3_500, by: 500).map { $0 }
    #expect(try await failures(whole) == [])
    #expect(try await failures([]) == nil)
    #expect(try await failures([1_501] + whole.dropFirst()) == ["none for 501 ms"])
    #expect(try await failures([1_500, 2_000, 2_500, 3_000, 3_399]) == ["none for 501 ms"])
    #expect(try await failures([1_500, 2_000, 3_000, 3_500]) == ["none for 1000 ms"])
  }

  @Test(
    "Sequence numbers increase, across the largest, and restart with a session"
  )
  func numbers() async throws {
    func failures(_ numbers: [Int], again: [Int] = []) async throws -> [String]? {
      let first = numbers.enumerated().map { Line.sent(1_100 + Int64($0), Self.state($1)) }
      let second = again.enumerated().map { Line.sent(9_100 + Int64($0), Self.state($1)) }
      return try await Self.failures(
        of: "state.sender-order", .host,
        [.got(1_000, Self.hello)] + first + (again.isEmpty ? [] : [.got(9_000, Self.hello)] + second), until: 20_000)
    }
    #expect(try await failures([7]) == nil)
    #expect(try await failures([254, 255, 0, 1, 128]) == [])
    #expect(try await failures([7, 7]) == ["7 again"])
    #expect(try await failures([7, 6]) == ["6"])
    #expect(try await failures([0, 128]) == ["128"])
    #expect(try await failures([7, 8], again: [7, 8]) == [])
  }

  @Test("A message near the beginning of another session may belong to either", arguments: [0, 50])
  func ambiguousSession(settle: Int64) async throws {
    func failures(last: Int64, first: Int64) async throws -> [String]? {
      try await Self.failures(
        of: "state.sender-order", .host,
        [
          .got(1_000, Self.hello), .sent(1_000, Self.state(6)), .sent(1_100, Self.state(7)), .sent(last, Self.state(8)),
          .got(2_000, "4c5001 08000000"), .sent(first, Self.state(1)), .sent(2_100, Self.state(2)),
        ], until: 20_000, settle: settle)
    }
    #expect(try await failures(last: 2_000 - settle, first: 2_000) == [])
    #expect(try await failures(last: 1_900, first: 2_000) == [])
    // The next request is certainly later than the second message of the session.
    #expect(try await failures(last: 1_900, first: 1_999 - settle) == ["1"])
    // The session is the peer's first: before it there was none.
    #expect(
      try await Self.failures(
        of: "state.sender-order", .host,
        [.got(1_000, Self.hello), .sent(1_000, Self.state(7)), .sent(1_001, Self.state(7))], until: 20_000,
        settle: settle) == ["7 again"])
  }

  @Test("Each request is answered within its time, to its sender")
  func answers() async throws {
    func failures(_ lines: [Line], until end: Int64 = 20_000) async throws -> [String]? {
      try await Self.failures(of: "name.answer", .host, lines, until: end)
    }
    let name = "4c500703"
    #expect(try await failures([]) == nil)
    #expect(try await failures([.got(1_000, Self.nameRequest), .sent(2_000, name)]) == [])
    #expect(try await failures([.got(1_000, Self.nameRequest), .sent(2_001, name)]) == ["none"])
    #expect(try await failures([.got(1_000, Self.nameRequest)]) == ["none"])
    // Too late to be answered in the run, or flawed: nothing is required.
    #expect(try await failures([.got(1_000, Self.nameRequest)], until: 1_999) == nil)
    #expect(try await failures([.got(1_000, Self.nameRequest + "00")]) == nil)
  }

  @Test("A client keeps its session alive while answers come, and may stop when none do")
  func keepalives() async throws {
    func failures(_ hellos: [Int64], answers: [Int64], until end: Int64) async throws -> [String]? {
      let lines = hellos.map { ($0, Line.sent($0, Self.hello)) } + answers.map { ($0, Line.got($0, Self.welcome)) }
      return try await Self.failures(
        of: "session.keepalive", .client, lines.sorted { $0.0 < $1.0 }.map(\.1), until: end)
    }
    #expect(try await failures([100], answers: [], until: 9_000) == nil)
    #expect(try await failures([100], answers: [200], until: 3_200) == nil)
    #expect(try await failures([100, 3_200], answers: [200, 3_300], until: 6_200) == [])
    #expect(try await failures([100, 3_201], answers: [200, 2_000, 3_300], until: 6_200) == ["none for 3001 ms"])
    // No answer for the timeout: the session is over, and nothing is required.
    #expect(try await failures([100, 8_000], answers: [200, 8_100], until: 9_000) == [])
  }

  // MARK: - Clients that leave by themselves

  private static let next = "4c5001 08000000"
  private static let nextBye = "4c5003 08000000"
  private static func dim(_ number: Int) -> String { "4c5004" + Hex.text([UInt8(number), 0]) + "00000000" }

  private static func client(_ requirement: String, _ lines: [Line]) async throws -> [String]? {
    try await failures(of: requirement, .client, lines, until: 9_000, settle: 50)
  }

  @Test("A client that closed its session uses another id for the next, without keepalives in between")
  func anotherSession() async throws {
    let begin: [Line] = [
      .sent(100, Self.hello), .got(101, Self.welcome), .sent(1_000, Self.hello), .got(1_001, Self.welcome),
    ]
    let end: [Line] = [.sent(1_600, Self.next), .got(1_601, Self.welcome)]
    #expect(try await Self.client("session.id", begin + [.sent(1_500, Self.bye)] + end) == [])
    #expect(try await Self.client("session.id", begin + end) == ["id 8"])
    let states = (2...7).map { Line.got($0 * 1_000, Self.state(Int($0))) }
    #expect(try await Self.client("session.keepalive", begin + [.sent(1_500, Self.bye)] + states) == [])
    #expect(try await Self.client("session.keepalive", begin + states) == ["none for 8000 ms"])
  }

  @Test("A client that is asked to end within a session owes a teardown, and between two none")
  func leftBefore() async throws {
    func failures(_ asked: Int64, _ more: [Line] = []) async throws -> [String]? {
      let begin: [Line] = [
        .sent(100, Self.hello), .got(101, Self.welcome), .sent(1_500, Self.bye), .sent(2_000, Self.next),
        .got(2_001, Self.welcome),
      ]
      return try await Self.client("session.teardown", begin + more + [.asked(asked)])
    }
    #expect(try await failures(1_500) == [])
    for asked in [1_501, 1_800, 2_050] as [Int64] { #expect(try await failures(asked) == nil) }
    #expect(try await failures(2_051) == ["none"])
    #expect(try await failures(3_000, [.sent(3_001, Self.nextBye)]) == [])
  }

  @Test("A client's numbers restart with its next session, and with nothing else")
  func numbersOfAClient() async throws {
    func failures(_ between: [Line]) async throws -> [String]? {
      let first: [Line] = [
        .sent(100, Self.hello), .got(101, Self.welcome), .sent(200, Self.dim(7)), .sent(300, Self.dim(8)),
      ]
      return try await Self.client(
        "level.sender-order", first + between + [.sent(3_000, Self.dim(7)), .sent(3_100, Self.dim(8))])
    }
    #expect(try await failures([]) == ["7"])
    #expect(try await failures([.sent(1_000, Self.hello)]) == ["7"])
    #expect(try await failures([.sent(1_000, Self.next)]) == [])
    #expect(try await failures([.sent(1_000, Self.bye), .sent(1_100, Self.hello)]) == [])
  }

  // MARK: - Files

  @Test(
    "Impossible requests, keepalives, intervals and rates are errors with line and column",
    arguments: [
      (
        "keepalive: [HELLO]", "keepalive: [WELCOME]",
        "15:106: WELCOME comes from the host: the client asks for a session, and ends it"
      ),
      ("message: NAME_REQUEST", "message: NAME_REQUES", #"did you mean "NAME_REQUEST"?"#),
      (
        "answered-by: [NAME]", "answered-by: [BYE]",
        "BYE comes from the side that sends NAME_REQUEST: the other side answers"
      ),
      ("answered-by: [NAME]", "answered-by: []", #""answered-by" is empty"#),
      ("{name: name,", "{name: session,", #"a request cannot be called "session""#),
      ("{name: name,", "{name: level,", #"a request and a stream have the name "level""#),
      ("{name: level, message", "{name: host, message", #"a stream cannot be called "host""#),
      ("interval: 500ms", "interval: 0ms", "expected 1ms to 3600s, found 0ms"),
      ("rate: 10}", "rate: 0.0009}", "expected 0.001 to 1000000 a second"),
      (", timeout: 3s", "", #""keepalive" requires "timeout""#),
    ])
  func errors(_ old: String, _ new: String, _ message: String) throws {
    let error = #expect(throws: YAMLFileError.self) {
      try ProtocolFile.read(Self.lamp.replacing(old, with: new), file: "lamp.yaml")
    }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }
}
