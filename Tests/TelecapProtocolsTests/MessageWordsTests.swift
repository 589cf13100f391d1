import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Forms of a message, of text and of numbers, and streams of several messages.
@Suite("A protocol in a file: forms, quaternions and streams of several messages") struct MessageWordsTests {
  private static let lines = [
    "protocol: drone",
    "byte-order: big",
    "carriers: [{name: udp, over: udp, port: 7000}, {name: tcp, over: tcp, port: 7000}]",
    "header: [{name: kind, type: u8, is: type}]",
    "messages:",
    "  - {name: ASK, type: 1, from: client, fields: [{name: pin, type: text 4, characters: 0-9}, {name: label, type: text 6, characters: a-z _, count: [1, 6]}]}",
    "  - {name: YES, type: 2, from: host, over: [udp], fields: [{name: ok, type: u8, codes: {0: no, 1: yes}}]}",
    "  - {name: YES, type: 2, from: host, over: [tcp], fields: [{name: ok, type: u8, codes: {0: no, 1: yes}}, {name: most, type: u8}]}",
    "  - {name: AIM, type: 3, from: host, fields: [{name: a, type: f32}, {name: b, type: f32}, {name: c, type: f32}, {name: d, type: f32}], unit-quaternion: [a, b, c, d]}",
    "  - {name: SET, type: 4, from: host, fields: [{name: size, type: u8}, {name: text, type: text in size, json: true}]}",
    "  - {name: KEYS, type: 5, from: client, fields: [{name: down, type: u8, bits: 3, bit-names: [up, fire]}, {name: at, type: u16, shown: hexadecimal}]}",
    "  - {name: TAP, type: 6, from: client, fields: [{name: down, type: u8}]}",
    "  - {name: SHOUT, type: 7, from: host}",
    "session: {asked-by: ASK, answered-by: [YES], code: pin, accepts: {ok: yes}, rejects: {busy: no}, clients: 2, timeout: 3s, outside: [SHOUT], needed-by: [AIM]}",
    "streams:",
    "  - {name: keys, message: KEYS, also: [TAP], values: [down], in-session: true, range: [0, 3], not-finite: clamped-or-dropped}",
  ]

  private static func read(_ line: Int? = nil, _ text: String = "") throws(YAMLFileError) -> WireProtocol {
    var lines = lines
    if let line { lines[line - 1] = text }
    return try ProtocolFile.read(lines.joined(separator: "\n"), file: "drone.yaml")
  }

  private static func found(_ bytes: [UInt8], _ carrier: String = "udp") throws -> [String] {
    var findings: [Finding] = []
    _ = MessageDecoder.decode(bytes.span.bytes, as: try read().dialect(carrier), findings: &findings)
    return findings.map { "\($0.rule.id): \($0)" }
  }

  @Test("A valid file has no error")
  func aRightFileHasNoError() throws {
    let drone = try Self.read()
    #expect(drone.kinds(named: "YES").map(\.layout.fixedSize) == [2, 3])
    #expect(drone.asking?.code == "pin" && drone.asking?.accepts?.value == 1)
    #expect(drone.asking?.rejects == .init(busy: 0) && drone.asking?.clients == 2)
    #expect(drone.session?.outside == ["SHOUT"] && drone.session?.needed.keys.sorted() == ["AIM"])
    let stream = try #require(drone.streams.first)
    #expect(stream.also == ["TAP"] && stream.inSession && stream.notFinite == .clampedOrDropped)
    #expect(drone["KEYS"]?.layout["down"]?.shown == .bits(["up", "fire"]))
    #expect(drone["KEYS"]?.layout["at"]?.shown == .hexadecimal)
  }

  @Test("A message has the form of its transport, and another form is found")
  func aMessageHasTheFormOfItsCarrier() throws {
    #expect(try Self.found([2, 1], "udp") == [])
    #expect(try Self.found([2, 1, 9], "tcp") == [])
    #expect(try Self.found([2, 1, 9], "udp") == ["message.form: YES in the form of tcp, 3 bytes"])
    #expect(try Self.found([2, 1], "tcp") == ["message.form: YES in the form of udp, 2 bytes"])
  }

  @Test(
    "Text with wrong characters, or of a wrong length without its padding, is found",
    arguments: [
      ("1234", "a\0\0\0\0\0", []), ("1234", "abcdef", []), ("1234", "a_c\0\0\0", []),
      ("123\0", "a\0\0\0\0\0", ["pin is not 4 of 0–9"]), ("123a", "a\0\0\0\0\0", ["pin is not 4 of 0–9"]),
      ("1234", "\0\0\0\0\0\0", ["label is not 1–6 of a–z _"]), ("1234", "a\0b\0\0\0", ["label is not 1–6 of a–z _"]),
      ("1234", "A\0\0\0\0\0", ["label is not 1–6 of a–z _"]),
    ])
  func text(_ pin: String, _ label: String, _ words: [String]) throws {
    #expect(try Self.found([1] + Array(pin.utf8) + Array(label.utf8)) == words.map { "value.bad-text: \($0)" })
  }

  @Test(
    "Text that must be a JSON object is found if it is none",
    arguments: [("{}", true), ("{\"a\":1}", true), ("[]", false), ("{", false)])
  func json(_ text: String, _ isRight: Bool) throws {
    let found = try Self.found([4, UInt8(text.utf8.count)] + Array(text.utf8))
    #expect(found == (isRight ? [] : ["value.bad-text: text is not a JSON object"]))
  }

  /// Big-endian, so that the bytes are not those of TELE's.
  @Test(
    "A quaternion whose norm differs from 1 by more than 0.001 is found",
    arguments: [(Float(1), true), (0.9995, true), (0.998, false), (1.002, false)])
  func quaternion(_ scalar: Float, _ isRight: Bool) throws {
    let bytes = [Float(0), 0, 0, scalar].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32($0)) }
    }
    let found = try Self.found([3] + bytes)
    #expect(
      found
        == (isRight ? [] : ["pose.quaternion: a, b, c, d have norm \(scalar); a unit quaternion has 1 within 0.001"]))
  }

  @Test("Generated messages keep the rules of their text")
  func rightMessagesKeepTheRulesOfTheirText() throws {
    for kind in try Self.read().messages where kind.layoutDirection != .unknown {
      let carrier = kind.layout.dialects.contains("udp") ? "udp" : "tcp"
      #expect(try Self.found(Message.right(kind).bytes, carrier) == [], "\(kind)")
    }
  }

  @Test("A request without an answer is found, and a message outside its session")
  func aRequestWithoutAnAnswerIsFound() throws {
    let drone = try Self.read()
    var tracker = SessionTracker()
    func take(_ name: String, _ fields: [String: FieldValue] = [:], at seconds: Int64, packet: Int) throws -> [String] {
      let kind = try #require(drone.kinds(named: name).first)
      let flow = Flow(.udp, from: Endpoint(.loopback, port: 9), to: Endpoint(.loopback, port: 7_000))
      let datagram = Datagram(
        packet: packet, time: Timestamp(nanoseconds: seconds * 1_000_000_000),
        flow: kind.layoutDirection == .serverToClient ? flow.reversed : flow)
      var findings: [Finding] = []
      let bytes = try Message(Message.right(kind), fields: fields).bytes
      _ = tracker.receive(
        kind, bytes.span.bytes, in: datagram, going: kind.layoutDirection, isValid: true, findings: &findings)
      return findings.map { "\($0.rule.id): \($0)" }
    }
    #expect(try take("SHOUT", at: 0, packet: 1) == [])
    #expect(
      try take("AIM", at: 0, packet: 2)
        == ["message.outside-session: the message is valid only in a session, and none is open"])
    #expect(try take("ASK", at: 1, packet: 3) == [])
    #expect(
      try take("ASK", at: 2, packet: 4)
        == ["session.no-answer: the request for a session in packet 3 got no answer"])
    #expect(try take("YES", ["ok": .unsigned(0)], at: 2, packet: 5) == [])
    #expect(try take("AIM", at: 2, packet: 6).count == 1)
    #expect(try take("ASK", at: 2, packet: 7) == [])
    #expect(try take("YES", ["ok": .unsigned(1)], at: 2, packet: 8) == [])
    #expect(try take("AIM", at: 2, packet: 9) == [])
  }

  @Test(
    "An impossible declaration is an error with its line and column",
    arguments: [
      (
        6, ask("characters: é"),
        "6:87: \"characters\" are visible ASCII characters and ranges of them with spaces between, such as A-Z 0-9 _, found \"é\""
      ),
      (
        6, ask("characters: 9-0"),
        "6:87: \"characters\" are visible ASCII characters and ranges of them with spaces between, such as A-Z 0-9 _, found \"9-0\""
      ),
      (6, ask("characters: \"\""), "6:87: \"characters\" is empty"),
      (
        6, ask("characters: 0-9, count: [3, 5]"),
        "6:99: \"count\" is a number of characters from 0 to 4, or [smallest, largest]"
      ),
      (
        6, ask("characters: 0-9, count: [3, 2]"),
        "6:99: \"count\" is a number of characters from 0 to 4, or [smallest, largest]"
      ),
      (6, ask("count: 4"), "6:82: \"count\" requires \"characters\""),
      (6, ask("json: true"), "6:81: \"json\" is for text in FIELD; \"pin\" is char[4]"),
      (
        6, "  - {name: ASK, type: 1, from: client, fields: [{name: n, type: u8, characters: 0-9}]}",
        "6:81: \"characters\" is for text; \"n\" is uint8"
      ),
      (
        8, "  - {name: YES, type: 2, from: host, over: [udp], fields: [{name: no, type: u8}]}",
        "8:12: there is a message \"YES\" already"
      ),
      (8, "  - {name: YES, type: 3, from: host, over: [tcp]}", "8:12: there is a message \"YES\" already"),
      (8, "  - {name: YES, type: 2, from: client, over: [tcp]}", "8:12: there is a message \"YES\" already"),
      (
        8, "  - {name: YES, type: 2, from: host, over: [tcp], fields: [{name: ok, type: u16}]}",
        "8:12: \"ok\" is uint16, and uint8 in the other form of YES"
      ),
      (
        9, aim("[a, b, c]"), "9:153: a unit quaternion is four fields of type f32, next to one another, the scalar last"
      ),
      (
        9, aim("[a, b, d, c]"),
        "9:153: a unit quaternion is four fields of type f32, next to one another, the scalar last"
      ),
      (9, aim("[a, b, c, e]"), "9:163: there is no field of AIM \"e\"; there are a, b, c, d"),
      (11, keys("bit-names: [up]"), "11:84: \"bit-names\" requires \"bits\""),
      (11, keys("bits: 1, bit-names: [1, 2, 3, 4, 5, 6, 7, 8, 9]"), "11:93: \"down\" is uint8, which has no 9 bits"),
      (
        11, keys("bits: 1, bit-names: [up], shown: hexadecimal"),
        "11:106: \"shown\" has no effect next to \"bit-names\""
      ),
      (6, ask("shown: hexadecimal"), "6:82: \"shown: hexadecimal\" is for whole numbers; \"pin\" is char[4]"),
      (14, "session: {opens: with-any-message, code: pin}", "14:42: a session that any message opens has no \"code\""),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], accepts: {ok: maybe}}",
        "14:60: there is no code of \"ok\" \"maybe\"; there are no, yes"
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], accepts: {most: 1}}",
        "14:56: there is no field of YES \"most\"; there are kind, ok"
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], clients: 1}",
        "14:55: \"clients\" requires \"accepts\": without it each answer opens a session"
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], accepts: {ok: yes}, rejects: {code: no}}",
        "14:82: no request has a wrong code: the session declares no \"code\""
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], code: pin, accepts: {ok: yes}, rejects: {code: no, busy: 0}}",
        "14:103: \"0\" has another meaning of \"ok\" already"
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], accepts: {ok: yes}, rejects: {busy: perhaps}}",
        "14:82: there is no code of \"ok\" \"perhaps\"; there are no, yes"
      ),
      (
        14, "session: {asked-by: ASK, answered-by: [YES], accepts: {ok: yes}, clients: 0}",
        "14:75: expected 1 to 1000 clients, found 0"
      ),
      (
        14, "session: {opens: with-any-message}",
        "16:74: no message asks for a session: \"in-session\" requires \"session\" with \"asked-by\""
      ),
      (16, stream("values: [down], also: [AIM]"), "16:56: AIM comes from the other side than KEYS"),
      (16, stream("values: [down], also: [KEYS]"), "16:56: KEYS carries the stream already"),
      (16, stream("values: [down], also: [TAP, TAP]"), "16:61: TAP carries the stream already"),
      (16, stream("values: [at], also: [TAP]"), "16:54: TAP has no \"at\" of the same kind as KEYS"),
      (
        16, stream("order: at, also: [TAP]"),
        "16:50: a stream of several messages has no \"order\": nothing says that they have one counter"
      ),
      (
        16, stream("values: [down], not-finite: clamped-or-dropped"),
        "16:61: \"clamped-or-dropped\" requires \"range\", to which a value is clamped"
      ),
    ] as [(Int, String, String)])
  func errors(_ line: Int, _ text: String, _ expected: String) {
    do throws(YAMLFileError) {
      _ = try Self.read(line, text)
      Issue.record("no error")
    } catch {
      #expect(error.description == "drone.yaml:\(expected)")
    }
  }

  private static func ask(_ rest: String) -> String {
    "  - {name: ASK, type: 1, from: client, fields: [{name: pin, type: text 4, \(rest)}]}"
  }
  private static func aim(_ names: String) -> String { lines[8].replacing("[a, b, c, d]", with: names) }
  private static func keys(_ rest: String) -> String {
    "  - {name: KEYS, type: 5, from: client, fields: [{name: down, type: u8, \(rest)}, {name: at, type: u16}]}"
  }
  private static func stream(_ rest: String) -> String { "  - {name: keys, message: KEYS, \(rest)}" }
}
