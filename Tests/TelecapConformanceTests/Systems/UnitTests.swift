import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

/// A right program whose file has a wrong unit, a wrong sign, a path to another value, or a count that it does not
/// have: no verdict is based on that, and the line is reported.
@Suite("Values in a wrong unit are reported and give no verdict")
struct UnitTests {
  /// The verdict on a scenario of a right system whose file has this rule, and the notices.
  private func run(
    _ rule: String, part: Part = .host, fault: String? = nil, _ path: String,
    print: @escaping @Sendable (String, Script) -> String? = { line, _ in line }
  ) async throws -> (verdict: Verdict, notices: [String]) {
    let system = try PrintingSystem("    - { \(rule) }\n", part: part, fault: fault, suites: .all, print: print)
    let scenario = try ScenarioFiles.read(path)
    var suite = SuiteResult(system: "it", after: nil)
    _ = suite.take(ScenarioResult(scenario, try await SuiteRunner(system).run(Case(), of: scenario)))
    _ = suite.finish()
    return (suite.scenarios[0].verdict, try #require(suite.mapping).notices)
  }

  @Test(
    "A wrong unit or path is reported",
    arguments: [
      (
        Part.host, "is: pose, when: { event: pose-applied }, fields: { x: { path: x, times: 1000 } }",
        "tele/pose/latest-value-wins.yaml",
        "showed \"x\" as 1000 times what was sent, in "
      ),
      (
        .host,
        "is: pose, when: { event: pose-applied }, fields: { timestamp_us: { path: timestamp_us, times: 1000 } }",
        "tele/pose/latest-value-wins.yaml", "showed \"timestamp_us\" as 1000 times what was sent, in "
      ),
      (
        .host, "is: pose, when: { event: pose-applied }, fields: { y: z, z: y }", "tele/pose/latest-value-wins.yaml",
        "never showed the \"y\" that was sent: something else is at z; "
      ),
      (
        .host, "is: pose, when: { event: pose-applied }, fields: { x: y, y: z, z: x }",
        "tele/pose/latest-value-wins.yaml", "never showed the \"z\" that was sent: something else is at x; "
      ),
      (
        .host, "is: pose, when: { event: pose-applied }, fields: { seq: none, x: y, y: z, z: x }",
        "tele/pose/latest-value-wins.yaml", "showed a pose that nobody had sent, in "
      ),
      (
        .phone, "is: strength, when: { event: haptic-applied }, fields: { intensity: { path: intensity, times: 100 } }",
        "tele/haptic/latest-value-wins.yaml", "showed a strength that nobody had sent, in "
      ),
      (
        .mouseHost, "is: pointer, when: { event: pointer }, fields: { y: { path: y, times: -1 } }",
        "mouse/pointer/sum.repeated.yaml", "showed \"y\" go -1 times as far as it was moved, in "
      ),
      (
        .mouseHost, "is: pointer, when: { event: pointer }, fields: { x: { path: x, times: 2 } }",
        "mouse/pointer/sum.repeated.yaml", "showed \"x\" go 2 times as far as it was moved, in "
      ),
      (
        .mouseHost, "is: pointer, when: { event: pointer }, fields: { x: { path: x, times: 0.5 } }",
        "mouse/pointer/sum.repeated.yaml", " times 0.5 at x is no whole number; the first: {"
      ),
      (
        .mouseHost, "is: scroll, when: { event: scroll }, fields: { scroll: { path: scroll, times: -1 } }",
        "mouse/scroll/sum.yaml", "showed \"scroll\" go -1 times as far as it was moved, in "
      ),
    ])
  func unit(_ part: Part, _ rule: String, _ path: String, _ notice: String) async throws {
    let (verdict, notices) = try await run(rule, part: part, path)
    #expect(verdict == .inconclusive)
    #expect(notices.contains { $0.contains(notice) }, "\(notices)")
  }

  @Test(
    "Two values that the file swaps are reported",
    arguments: [
      (
        Part.host, "is: command, when: { event: cmd }, fields: { cmd_type: { path: cmd_type, words: { 1: 2, 2: 1 } } }",
        "tele/cmd/duplicate.both.yaml",
        "showed \"cmd_type\" as 1 where 2 was sent and the other way round, in "
      ),
      (
        .host, "is: command, when: { event: cmd }, fields: { value: { path: value, words: { 1: 0, 0: 1 } } }",
        "tele/cmd/duplicate.both.yaml", "showed \"value\" as 0 where 1 was sent and the other way round, in "
      ),
      (
        .host, "is: command, when: { event: cmd }, fields: { cmd_type: value, value: cmd_type }",
        "tele/cmd/duplicate.both.yaml", "showed \"cmd_type\" where \"value\" was sent and the other way round, in "
      ),
      (
        .phone,
        "is: impact, when: { event: haptic-impact }, "
          + "fields: { style: { path: style, words: { light: heavy, heavy: light } } }",
        "tele/haptic/impact-mapping.yaml",
        "showed \"style\" as light where heavy was sent and the other way round, in "
      ),
      (
        .phone,
        "is: impact, when: { event: haptic-impact }, "
          + "fields: { style: { path: style, words: { light: heavy, medium: light, heavy: medium } } }",
        "tele/haptic/impact-mapping.yaml",
        "showed \"style\" as light where medium was sent, as medium where heavy was, as heavy where light was, in "
      ),
    ])
  func exchanged(_ part: Part, _ rule: String, _ path: String, _ notice: String) async throws {
    let (verdict, notices) = try await run(rule, part: part, path)
    #expect(verdict == .inconclusive)
    #expect(notices.contains { $0.contains(notice) }, "\(notices)")
  }

  @Test(
    "Buttons that the file swaps or rotates are reported",
    arguments: [
      ("left: l, right: r, middle: m", nil),
      ("left: r, right: l, middle: m", "showed \"left\" where \"right\" was sent and the other way round, in "),
      (
        "left: r, right: m, middle: l",
        "showed \"left\" where \"right\" was sent, \"right\" where \"middle\" was, \"middle\" where \"left\" was, in "
      ),
      (
        "left: m, right: l, middle: r",
        "showed \"left\" where \"middle\" was sent, \"middle\" where \"right\" was, \"right\" where \"left\" was, in "
      ),
    ] as [(String, String?)])
  func exchangedButtons(_ fields: String, _ notice: String?) async throws {
    let rule = "is: buttons, fields: { \(fields) }"
    let (verdict, notices) = try await run(rule, part: .mouseHost, "mouse/buttons/latest-value-wins.yaml") { line, _ in
      guard let shown = line.firstRange(of: "\"buttons\":") else { return line }
      let bits = UInt8(line[shown.upperBound...].prefix { $0.isNumber }) ?? 0
      return "{\"l\": \(bits & 1 != 0), \"r\": \(bits & 2 != 0), \"m\": \(bits & 4 != 0)}"
    }
    #expect(verdict == (notice == nil ? .pass : .inconclusive))
    #expect(notices.count == (notice == nil ? 0 : 1), "\(notices)")
    #expect(notice.map { (notices.first ?? "").contains($0) } ?? true, "\(notices)")
  }

  @Test("A wrong rule that one run detects makes another run inconclusive, too")
  func otherRun() async throws {
    let rule = "is: pointer, when: { event: pointer }, fields: { y: { path: y, times: -1 } }"
    let system = try PrintingSystem("    - { \(rule) }\n", part: .mouseHost, suites: .all)
    var suite = SuiteResult(system: "it", after: nil)
    for path in ["mouse/pointer/sum.repeated.yaml", "mouse/header/unknown.yaml"] {
      let scenario = try ScenarioFiles.read(path)
      _ = suite.take(ScenarioResult(scenario, try await SuiteRunner(system).run(Case(), of: scenario)))
    }
    _ = suite.finish()
    #expect(suite.scenarios.map(\.verdict) == [.inconclusive, .inconclusive])
  }

  @Test(
    "A wrong program that is read correctly fails all the same",
    arguments: [
      (Part.host, "is: pose, when: { event: pose-applied }", "order-of-arrival", "tele/pose/latest-value-wins.yaml"),
      (.phone, "is: strength, when: { event: haptic-applied }", "no-clamp", "tele/haptic/clamp-high.yaml"),
      (.mouseHost, "is: pointer, when: { event: pointer }", "duplicates-dropped", "mouse/pointer/sum.repeated.yaml"),
      (.mouseHost, "is: scroll, when: { event: scroll }", "ignores-control", "mouse/scroll/sum.yaml"),
      (
        .host, "is: command, when: { event: cmd }, fields: { cmd_type: cmd_type, value: value }", "toggles-commands",
        "tele/cmd/duplicate.yaml"
      ),
      (
        .phone,
        "is: impact, when: { event: haptic-impact }, fields: { style: { path: style, words: { weak: light } } }",
        "one-impact", "tele/haptic/impact-mapping.yaml"
      ),
    ])
  func wrong(_ part: Part, _ rule: String, _ fault: String, _ path: String) async throws {
    let (verdict, notices) = try await run(rule, part: part, fault: fault, path)
    #expect(verdict == .fail)
    #expect(notices == [])
  }

  @Test("A button that is never shown is reported")
  func buttons() async throws {
    let rule = "is: buttons, fields: { left: l, right: r }"
    let (verdict, notices) = try await run(rule, part: .mouseHost, "mouse/buttons/latest-value-wins.yaml") { line, _ in
      guard let shown = line.firstRange(of: "\"buttons\":") else { return line }
      let bits = UInt8(line[shown.upperBound...].prefix { $0.isNumber }) ?? 0
      return "{\"l\": \(bits & 1 != 0), \"r\": \(bits & 2 != 0)}"
    }
    #expect(verdict == .inconclusive)
    #expect(notices.contains { $0.contains("never found \"middle\": there is nothing at middle") }, "\(notices)")
  }

  // MARK: - Line by line

  private static let peers: PeerAddresses = {
    var peers = PeerAddresses()
    peers.put("a", at: Endpoint(.loopback, port: 4_001))
    peers.put("b", at: Endpoint(.loopback, port: 4_002))
    return peers
  }()

  private static func rules(_ text: String) throws -> EventDecoder {
    let file = "role: host\ncommand: [a]\naddresses: { udp: free }\nshows:\n  events:\n    - { \(text) }"
    let rules = try SystemFile(file, file: "s.yaml", suites: .all).rules
    return EventDecoder(rules: rules, peers: peers, Tele.wire, file: "s.yaml")
  }

  private func pose(_ seq: UInt16, _ x: Float) throws -> [UInt8] {
    try Message.pose(
      seq: seq, timestampMicroseconds: 1, movementStart: false, position: [x, 0.25, -1], orientation: [0, 0, 0, 1]
    ).bytes
  }

  @Test("A program's own counter in place of the poses' seq is reported")
  func counter() throws {
    var observations = try Self.rules("is: pose, fields: { seq: n, x: at.0, y: at.1, z: at.2 }")
    for (seq, x) in [(65_534, 1.5), (65_535, 2.5), (2, 3.5)] as [(UInt16, Float)] {
      observations.delivered(try pose(seq, x), from: "a", over: .udp, at: .zero)
    }
    _ = observations.events(printed: #"{"n": 65534, "at": [1.5, 0.25, -1]}"#.utf8)
    #expect(observations.mapping.notices == [])
    // An older pose than that of the seq is what a wrong host applies.
    _ = observations.events(printed: #"{"n": 2, "at": [2.5, 0.25, -1]}"#.utf8)
    #expect(observations.mapping.notices == [])
    _ = observations.events(printed: #"{"n": 65535, "at": [3.5, 0.25, -1]}"#.utf8)
    let why = "\"seq\" cannot be read: 65535 is next to the values of the pose of seq 2; the first: {\"n\": 65535"
    #expect(observations.mapping.notices.first?.contains(why) == true, "\(observations.mapping.notices)")
  }

  @Test("A program's own client names and session ids are reported")
  func sessions() throws {
    let rule = "is: session-opened, when: { e: open }, fields: { peer: who, session_id: id }"
    let hello = try Message.hello(sessionID: 70_000, code: "ABC123").bytes
    for (line, why) in [
      (#"{"e": "open", "who": "127.0.0.1:4002", "id": 70000}"#, nil),
      (
        #"{"e": "open", "who": "phone-1", "id": 70000}"#,
        "\"peer\" cannot be read: \"phone-1\" is none of telecap's addresses, such as 127.0.0.1:4002"
      ),
      (
        #"{"e": "open", "who": "127.0.0.1:4002", "id": 1}"#,
        "\"session_id\" cannot be read: nobody asked for a session 1"
      ),
    ] {
      var observations = try Self.rules(rule)
      observations.delivered(hello, from: "b", over: .udp, at: .zero)
      #expect(observations.events(printed: line.utf8).count == 1)
      let notices = observations.mapping.notices
      #expect(notices.count == (why == nil ? 0 : 1))
      if let why { #expect(notices.first?.contains(why) == true, "\(notices)") }
    }
  }

  @Test("A session that ends is the one that had begun, even if another client asks meanwhile")
  func whoLeaves() throws {
    var observations = EventDecoder(
      rules: [
        EventRule(.sessionOpened, when: [.init(["e"], ["open"])]),
        EventRule(.sessionClosed, when: [.init(["e"], ["end"])]),
      ],
      peers: Self.peers, Tele.wire)
    observations.delivered(try Message.hello(sessionID: 7, code: "ABC123").bytes, from: "a", over: .udp, at: .zero)
    let open = observations.events(printed: #"{"e": "open"}"#.utf8)
    observations.delivered(try Message.hello(sessionID: 8, code: "ABC123").bytes, from: "b", over: .udp, at: .zero)
    let end = observations.events(printed: #"{"e": "end"}"#.utf8)
    let a = Endpoint(.loopback, port: 4_001)
    #expect(open == [.sessionOpened(a, sessionID: 7)])
    #expect(end == [.sessionClosed(a, sessionID: 7, .timeout)])
  }

  @Test("Words that a file confuses are reported, for every kind of burst and a late program")
  func confused() throws {
    var observations = try Self.rules(
      "is: command, fields: { cmd_type: b, value: { path: v, words: { on: 0, off: 1 } } }")
    func command(_ value: UInt8, at milliseconds: Int64) throws {
      let bytes = Array("TELE".utf8) + [5, 1, 1, value]
      observations.delivered(bytes, from: "a", over: .udp, at: Timestamp(nanoseconds: milliseconds * 1_000_000))
    }
    func printed(_ word: String) { _ = observations.events(printed: #"{"b": 1, "v": "\#(word)"}"#.utf8) }
    for (value, word, time) in [(1, "on", 0), (0, "off", 100), (1, "on", 200)] as [(UInt8, String, Int64)] {
      try command(value, at: time)
      printed(word)
    }
    let why = "showed \"value\" as 0 where 1 was sent and the other way round"
    #expect(observations.mapping.notices.contains { $0.contains(why) }, "\(observations.mapping.notices)")
    // The event of the one before, after the next has come: as the file reads it, it seems to be right.
    try command(1, at: 300)
    try command(0, at: 301)
    printed("on")
    #expect(observations.mapping.notices.contains { $0.contains(why) }, "\(observations.mapping.notices)")
  }

  @Test("A number matches in any notation")
  func numbers() throws {
    var observations = try Self.rules("is: pose, when: { kind: 1.0 }, fields: { seq: n, x: at }")
    observations.delivered(try pose(3, 1.5), from: "a", over: .udp, at: .zero)
    #expect(observations.events(printed: #"{"kind": 1, "n": 3, "at": 1.5}"#.utf8).count == 1)
    #expect(observations.events(printed: #"{"kind": "1", "n": 3, "at": 1.5}"#.utf8).isEmpty)
  }
}
