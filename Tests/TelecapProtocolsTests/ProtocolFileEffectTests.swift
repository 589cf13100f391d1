import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Every key of a file has an effect.
@Suite("A protocol in a file: every key has an effect") struct ProtocolFileEffectTests {
  private static let toy = """
    protocol: toy
    carriers:
      - {name: udp, over: udp, port: 4000}
    header:
      - {name: kind, type: u8, is: type}
      - {name: version, type: i8}
    messages:
      - name: ASK
        type: 1
        from: client
        with: {version: -2}
        fields: [{name: id, type: u64}, {name: five, type: u16, equals: 5}, {name: mark, type: text 3, equals: end}]
      - {name: STATE, type: 2, from: host, fields: [{name: number, type: u64}]}
      - {name: BYE, type: 3, from: client, fields: [{name: id, type: u64}]}
    session: {asked-by: ASK, answered-by: [STATE], id: id, closed-by: BYE}
    streams: [{name: state, message: STATE, order: number}]
    """

  private static func wire() throws -> WireProtocol { try ProtocolFile.read(toy, file: "toy.yaml") }

  @Test(
    "A wrong value in a constant field is found, at any offset",
    arguments: [
      (1, "value.out-of-range version is 126; it must be -2"), (10, "value.out-of-range five is 133; it must be 5"),
      (12, "value.bad-text mark is not \"end\""),
    ])
  func constants(_ offset: Int, _ expected: String) throws {
    let wire = try Self.wire()
    let right = Message(empty: try #require(wire["ASK"]))
    #expect(Message.decode(right.bytes.span.bytes, as: wire.dialects[0]).findings.isEmpty)
    var wrong = right.bytes
    wrong[offset] ^= 0x80
    let (message, findings) = Message.decode(wrong.span.bytes, as: wire.dialects[0])
    #expect(findings.map { "\($0.rule.id) \($0)" } == [expected])
    #expect(message?.kind.name == "ASK")
  }

  @Test("A session is closed by its own id, also one of 64 bits; jumps of its numbers are only findings")
  func wideNumbers() throws {
    let wire = try Self.wire()
    var tracker = SessionTracker()
    var findings: [Finding] = []
    func take(_ name: String, _ field: String, _ value: UInt64, _ time: Int64) throws {
      let message = try Message(try #require(wire[name]), fields: [field: .unsigned(value)])
      let (client, host) = (Endpoint(.loopback, port: 9), Endpoint(.loopback, port: 4_000))
      let isHost = message.kind.layoutDirection == .serverToClient
      let flow = Flow(.udp, from: isHost ? host : client, to: isHost ? client : host)
      _ = tracker.receive(
        message.kind, message.bytes.span.bytes,
        in: Datagram(packet: 1, time: Timestamp(nanoseconds: time), flow: flow), going: message.kind.layoutDirection,
        isValid: true, findings: &findings)
    }
    try take("ASK", "id", 0x1_2345_6789_abcd, 1)
    for (time, number) in [(2, 0), (3, UInt64.max / 2), (4, UInt64.max - 1), (5, UInt64.max / 2 - 2)] {
      try take("STATE", "number", number, Int64(time))
    }
    // It shares the low half.
    try take("BYE", "id", 0x2_2345_6789_abcd, 6)
    #expect(tracker.sessions.map(\.end) == [.open])
    #expect(tracker.sessions.map(\.sessionID) == [0x1_2345_6789_abcd])
    try take("BYE", "id", 0x1_2345_6789_abcd, 7)
    #expect(tracker.sessions.map(\.end) == [.bye])
    #expect(findings.map(\.rule.id) == ["seq.gap", "seq.gap", "seq.gap"])
  }

  @Test("Nested aliases do not fill the memory")
  func aliases() {
    let lists = (1...9).map { "p\($0): &p\($0) [\(Array(repeating: "*p\($0 - 1)", count: 9).joined(separator: ", "))]" }
    let text = "p0: &p0 [0]\n" + lists.joined(separator: "\n")
    let error = #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "toy.yaml") }
    #expect(error?.problem == "the file contains more than 200000 values")
  }

  @Test("Aliases to a long text do not fill the memory, and an error quotes it on one line")
  func longAliases() {
    let text =
      "p0: &p0 \"\(String(repeating: "x", count: 100_000))\"\np1: [\(Array(repeating: "*p0", count: 200).joined(separator: ", "))]"
    let error = #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "toy.yaml") }
    #expect(error?.problem == "with its aliases written out the file contains more than 16777216 bytes of text")
    let forged = #expect(throws: YAMLFileError.self) { try ProtocolFile.read("\"a\\nb\": 1", file: "toy.yaml") }
    #expect("\(forged.map { "\($0)" } ?? "")".contains("a\\u{a}b"))
  }

  @Test(
    "A key of nested alias lists ends with the limit of values", .timeLimit(.minutes(10)),
    arguments: [
      "? *p9\n: 1", "*p9 : 1", "{*p9: 1}", "[*p9, *p8]: 1", "{a: *p9}: 1", "- ? [*p9]",
    ])
  func aliasKeys(_ line: String) {
    #expect(Self.problem(line, lists: 9) == "toy.yaml:7:10: the file contains more than 200000 values")
  }

  @Test(
    "A key that is a list or a mapping is an error at its line and column", .timeLimit(.minutes(10)),
    arguments: [
      ("? *p4\n: 1", "6:3"), ("*p4 : 1", "6:1"), ("[*p4, *p3]: 1", "6:1"), ("{a: *p4}: 1", "6:1"),
      ("- ? [*p4]", "6:1"), ("[b]: 2", "6:1"),
    ])
  func compoundKeys(_ line: String, _ place: String) {
    let problem =
      line.hasPrefix("-")
      ? "this entry begins in column 1, where no list is: begin it below its key, as the entries before it"
      : "a key that is a list or a mapping; write it out as a word"
    #expect(Self.problem(line, lists: 4) == "toy.yaml:\(place): \(problem)")
  }

  /// The error in this line after lists that contain each other nine times each.
  private static func problem(_ line: String, lists count: Int) -> String? {
    let lists = (1...count).map {
      "p\($0): &p\($0) [\(Array(repeating: "*p\($0 - 1)", count: 9).joined(separator: ", "))]"
    }
    let text = "p0: &p0 [0]\n" + (lists + [line]).joined(separator: "\n")
    return #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "toy.yaml") }?.description
  }

  @Test("Text that only looks like such a key is none, and aliases are values as before")
  func aliasValues() {
    let text = "name: &a toy\ntitle: *a\nnote: \"a * b & c, really? **so**: yes\"\n"
    let error = #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "toy.yaml") }
    #expect(error?.problem.hasPrefix("unknown key") == true, "\(String(describing: error))")
    let plain = "a: 1\n[b]: 2\n"
    #expect(throws: YAMLFileError.self) { try ProtocolFile.read(plain, file: "toy.yaml") }
  }

  @Test("An error in deeply nested parts is found soon", .timeLimit(.minutes(10)))
  func nesting() {
    let parts = (1...40).map {
      "  p\($0): [\(Array(repeating: "{part: p\($0 - 1)}", count: 9).joined(separator: ", "))]"
    }
    let text = "  p0: [{name: slot, type: u8}]\n  place: [{part: p40}]\n" + parts.joined(separator: "\n")
    #expect(Toy.error(12, text) == "12:15: STATE has a second field \"slot\"")
  }

  @Test("A file is checked against the protocols that are loaded with it")
  func surroundings() throws {
    let toy = try Self.wire()
    let beside = ProtocolSurroundings(Protocols.builtIn + [toy], taken: ["haptics"]) {
      $0 == "order" ? "it is a word of SQL" : nil
    }
    let another =
      "1:11: there is a protocol \"toy\" already, and this is another: carriers is \"udp, tcp\" here and "
      + "\"udp\" there; give it another name"
    #expect(Toy.error(1, "protocol: toy", beside: beside) == another)
    #expect(Toy.error(1, "protocol: haptics", beside: beside) == "1:11: there is a protocol \"haptics\" already")
    #expect(
      Toy.error(3, "  - {name: udp, over: udp, port: 4000, id: toy-udp}", beside: ProtocolSurroundings([toy]))
        == another)
    #expect(
      Toy.error(14, Toy.ask("{name: order, type: u8}"), beside: ProtocolSurroundings(problem: beside.problem))
        == "14:79: a field cannot be called \"order\": it is a word of SQL")
  }

  @Test("A generated message is valid even if 0 is not")
  func right() throws {
    let text = Self.toy.replacing("{name: id, type: u64}", with: "{name: id, type: i8, range: [-9, -3]}")
      .replacing("id: id, ", with: "")
    let wire = try ProtocolFile.read(text, file: "toy.yaml")
    for name in ["ASK", "BYE"] {
      let message = Message.right(try #require(wire[name]))
      #expect(message.value(of: "id") == .signed(-9))
      #expect(Message.decode(message.bytes.span.bytes, as: wire.dialects[0]).findings.isEmpty)
    }
  }

  @Test("Generated values of a stream keep the rules of their fields")
  func values() throws {
    let rows =
      "{name: level, type: u8, codes: {3: low, 7: high}}, {name: mask, type: u16, bits: 0x5}, "
      + "{name: one, type: u8, equals: 1}, {name: wide, type: f64, range: [-1e308, 1e308]}"
    let text = Self.toy.replacing("[{name: number, type: u64}]", with: "[{name: number, type: u64}, \(rows)]")
      .replacing("order: number", with: "order: number, values: [level, mask, one, wide]")
    let wire = try ProtocolFile.read(text, file: "toy.yaml")
    let right = try #require(Suite.declared(by: wire).scenarios.first { $0.id == "toy.state.values" })
    guard case .send(let messages, _)? = right.steps.first?.work else {
      Issue.record("no messages")
      return
    }
    #expect(Set(messages).count == messages.count)
    for bytes in messages {
      #expect(Message.decode(bytes.span.bytes, as: wire.dialects[0]).findings.isEmpty)
    }
  }

  @Test("The scenarios of a very long message stay small")
  func long() throws {
    let fields = (0..<60).map { "{name: t\($0), type: bytes 1024}" }.joined(separator: ", ")
    let text = Self.toy.replacing("[{name: number, type: u64}]", with: "[{name: number, type: u64}, \(fields)]")
    let suite = Suite.declared(by: try ProtocolFile.read(text, file: "toy.yaml"))
    let cut = try #require(suite.scenarios.first { $0.requirement.id == "toy.header.truncated" })
    #expect(cut.sentence == "Every 61th shorter length.")
    guard case .send(let messages, _)? = cut.steps.first?.work else {
      Issue.record("no messages")
      return
    }
    #expect(messages.count < 1_100)
  }
}
