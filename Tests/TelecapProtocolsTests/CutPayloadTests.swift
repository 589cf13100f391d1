import TelecapConformance
import TelecapLoop
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("Payloads whose zeros at the end are cut") struct CutPayloadTests {
  private static let fields =
    "{name: a, type: u16}, {name: x, type: f32}, {name: t, type: text 4}, {name: low, type: bits 4}, {name: high, type: bits 4, range: [0, 9]}"

  private static func read(_ payload: String = fields, _ message: String = trailer, _ more: String = "") throws
    -> WireProtocol
  {
    try ProtocolFile.read(
      """
      protocol: cut
      carriers: [{name: udp, over: udp, port: 5011}]
      header: [{name: kind, type: u8, is: type}, {name: length, type: u8}, {name: flags, type: u8}]
      parts: {body: [\(payload)]}
      messages:
        - {name: ONE, type: 1, from: client, fields: [\(message)]}
      \(more)
      """, file: "cut.yaml")
  }

  private static let trailer =
    "{part: body, cut-zeros: length}, {name: crc, type: u16, check: {algorithm: crc16-mcrf4xx, from: length, extra: 7}}, "
    + "{name: link, type: u8, when: {field: flags, bits: 1}}"

  private static func decode(_ bytes: [UInt8], _ owner: WireProtocol) -> (Message?, [String]) {
    let (message, findings) = Message.decode(bytes.span.bytes, as: owner.dialects[0])
    return (message, findings.map { "\($0)" })
  }

  @Test("Values that were not sent are 0, and a message is as short as its values allow")
  func values() throws {
    let owner = try Self.read()
    let kind = try #require(owner["ONE"])
    let cases: [([String: FieldValue], sent: [UInt8])] = [
      ([:], [0]), (["a": .unsigned(5)], [5]), (["a": .unsigned(0x500)], [0, 5]),
      (["x": .float(2)], [0, 0, 0, 0, 0, 0x40]),
      (["x": .float(0x1p-149)], [0, 0, 1]), (["t": .text("ab")], [0, 0, 0, 0, 0, 0, 0x61, 0x62]),
      (["low": .unsigned(1)], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
      (["high": .unsigned(9), "a": .unsigned(1)], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x90]),
    ]
    for (fields, sent) in cases {
      let message = try Message(kind, fields: fields)
      #expect(message.bytes.dropLast(2) == [1, UInt8(sent.count), 0] + sent)
      let (decoded, findings) = Self.decode(message.bytes, owner)
      #expect(findings == [], "\(fields)")
      let zeros: [String: FieldValue] = [
        "a": .unsigned(0), "x": .float(0), "t": .text(""), "low": .unsigned(0), "high": .unsigned(0),
      ]
      for (name, zero) in zeros { #expect(decoded?.value(of: name) == fields[name] ?? zero, "\(name) of \(fields)") }
      #expect(decoded?.value(of: "crc") == message.value(of: "crc") && decoded?.value(of: "link") == nil)
      var values: [String: FieldValue] = [:]
      for row in kind.layout.fields { values[row.name] = row.value(in: message.bytes.span.bytes) }
      #expect(try Message(kind, fields: values).bytes == message.bytes)
      // The fields after the payload move with it.
      let signed = try Message(message, fields: ["link": .unsigned(8)])
      #expect(signed.bytes.count == message.bytes.count + 1 && Self.decode(signed.bytes, owner).1 == [])
      #expect(try Message(signed, fields: ["low": .unsigned(3)]).bytes.count == 3 + 11 + 3)
      #expect(try Message(signed, fields: ["low": .unsigned(3)]).value(of: "link") == .unsigned(8))
    }
  }

  @Test("Zeros that were sent anyway are read, and so is a payload that is longer or empty")
  func lengths() throws {
    let owner = try Self.read()
    let kind = try #require(owner["ONE"])
    for count in 0...14 {
      var payload = [UInt8](repeating: 0, count: count)
      if count > 0 { payload[0] = 5 }
      let bytes = Message.checksummed([1, UInt8(count), 0] + payload + [0, 0], as: kind)
      let (message, findings) = Self.decode(bytes, owner)
      #expect(findings == [] && message?.value(of: "a") == .unsigned(count > 0 ? 5 : 0), "\(count)")
      #expect(message?.value(of: "high") == .unsigned(0), "\(count)")
      for size in 3..<bytes.count { #expect(Self.decode(Array(bytes[..<size]), owner).0 == nil, "\(size) of \(count)") }
      for index in 1..<bytes.count where index != 2 {
        var wrong = bytes
        wrong[index] ^= 1
        #expect(Self.decode(wrong, owner).0 == nil, "\(index) of \(count)")
      }
      #expect(Self.decode(bytes + [0], owner).1.count == 1)
    }
  }

  @Test("A value out of its range is found if it was sent, and text that was cut is valid")
  func findings() throws {
    let owner = try Self.read(
      "{name: a, type: u8, range: [1, 9]}, {name: t, type: text 3, characters: a-c, count: [1, 3]}")
    let kind = try #require(owner["ONE"])
    let both = try Message(kind, fields: ["a": .unsigned(0), "t": .text("")])
    #expect(Self.decode(both.bytes, owner).1.count == 2)
    #expect(Self.decode(try Message(kind, fields: ["a": .unsigned(1), "t": .text("a")]).bytes, owner).1 == [])
    #expect(Self.decode(try Message(kind, fields: ["a": .unsigned(10), "t": .text("a")]).bytes, owner).1.count == 1)
    #expect(Message.right(kind).bytes.dropLast(2) == [1, 2, 0, 1, 0x61])
    var findings: [Finding] = []
    _ = MessageDecoder.decode(both.bytes.span.bytes, as: owner.dialects[0], findings: &findings)
    #expect(findings.map(\.range) == [3..<4, 4..<4])
  }

  @Test("Every change of a fuzzer leaves a message that is read, cut and checked")
  func hostile() throws {
    let owner = try Self.read()
    let kind = try #require(owner["ONE"])
    let right = try Message(kind, fields: ["a": .unsigned(3), "link": .unsigned(1)]).bytes
    var sizes: Set<Int> = []
    for (row, change) in kind.hostileChanges {
      guard let row, let present = row.changeableBits(in: right.span.bytes), let bits = row.bits(present, after: change)
      else { continue }
      var changed = right
      row.write(bits: bits, into: &changed)
      if row.isCut {
        #expect(row.changeableBits(in: changed.span.bytes) == bits, "\(row.name)")
        #expect(Self.decode(Message.checksummed(changed, as: kind), owner).0 != nil, "\(row.name) \(change)")
        sizes.insert(changed.count)
      }
      for field in kind.layout.fields { _ = field.value(in: changed.span.bytes) }
      for size in 0..<changed.count {
        var short = Array(changed[..<size])
        row.write(bits: bits, into: &short)
        _ = Self.decode(short, owner)
        for field in kind.layout.fields { _ = (field.value(in: short.span.bytes), field.range(in: short.span.bytes)) }
      }
    }
    #expect(sizes.count > 3)
  }

  @Test("Text after the payload is padded again if the payload grows or shrinks")
  func padded() throws {
    let owner = try Self.read(
      Self.fields,
      "{part: body, cut-zeros: length}, {name: path, type: text to 0, padded-to: 4}, {name: n, type: u8}, {name: d, type: text in n}"
    )
    let kind = try #require(owner["ONE"])
    #expect(Message(empty: kind).bytes == [1, 1, 0, 0, 0, 0, 0, 0, 0])
    let words: [String: FieldValue] = ["path": .text("ab"), "d": .text("hey")]
    for bit in 0..<16 {
      let fields = words.merging(["a": .unsigned(1 << UInt64(bit)), "t": .text(bit < 8 ? "" : "abc")]) { $1 }
      let message = try Message(kind, fields: fields)
      #expect(Self.decode(message.bytes, owner).1 == [] && message.bytes.count.isMultiple(of: 4), "\(message.bytes)")
      for (name, value) in fields { #expect(message.value(of: name) == value, "\(name) of \(bit)") }
      let other = try Message(message, fields: ["a": .unsigned(0), "t": .text(""), "x": .float(bit < 4 ? 0 : 1)])
      #expect(Self.decode(other.bytes, owner).1 == [] && other.value(of: "d") == .text("hey"), "\(other.bytes)")
      var changed = message.bytes
      let changer = try MessageChanger([owner], Impairments(parsing: "--set x=1.5"))
      var wish = RequestedChanges()
      wish.sets = 1
      try changer.apply(
        changer.changes(wish, of: changed.span.bytes, as: owner.dialects[0]), to: &changed, as: owner.dialects[0])
      #expect(changed == (try Message(message, fields: ["x": .float(1.5)]).bytes), "\(changed)")
    }
  }

  @Test("A payload includes its constants, numbers and text")
  func constants() throws {
    let owner = try Self.read(
      "{name: a, type: u8}, {name: n, type: u8, equals: 9}, {name: t, type: text 3, equals: abc}")
    let kind = try #require(owner["ONE"])
    #expect(Message(empty: kind).bytes.dropLast(2) == [1, 5, 0, 0, 9, 0x61, 0x62, 0x63])
    #expect(Self.decode(Message(empty: kind).bytes, owner).1 == [])
    let wrong = try Message(kind, fields: ["t": .text(""), "n": .unsigned(0)])
    #expect(wrong.bytes.dropLast(2) == [1, 1, 0, 0] && Self.decode(wrong.bytes, owner).1.count == 2)
  }

  @Test("Setting a field that was cut makes the payload longer")
  func set() throws {
    let owner = try Self.read()
    let kind = try #require(owner["ONE"])
    var bytes = try Message(kind, fields: ["a": .unsigned(3)]).bytes
    let changer = try MessageChanger([owner], Impairments(parsing: "--set x=1.5"))
    var wish = RequestedChanges()
    wish.sets = 1
    try changer.apply(
      changer.changes(wish, of: bytes.span.bytes, as: owner.dialects[0]), to: &bytes, as: owner.dialects[0])
    #expect(bytes == (try Message(kind, fields: ["a": .unsigned(3), "x": .float(1.5)]).bytes))
  }

  @Test("The suite of a stream of such messages passes right models and fails a wrong one")
  func judged() async throws {
    let owner = try Self.read(
      "{name: number, type: u16}, {name: x, type: f32}, {name: y, type: i16, scale: 0.1}", Self.trailer,
      "streams: [{name: x, message: ONE, order: number, values: [x, y]}]")
    let suite = Suite.declared(by: owner)
    for (system, isRight) in [("cut-host", true), ("cut-client", true), ("cut-host+wrap-is-old", false)] {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      let wrong = results.filter { $0.verdict != .pass }.map { "\($0.scenario.id): \($0.verdict)" }
      #expect(!results.isEmpty && wrong.isEmpty == isRight, "\(system): \(wrong)")
    }
  }

  @Test(
    "An error names its line and column",
    arguments: [
      (
        fields, "{part: body, cut-zeros: n}",
        "there is no unsigned number \"n\" before it; there are kind, length, flags"
      ),
      (
        fields, "{name: a0, type: u8, cut-zeros: length}",
        "\"cut-zeros\" requires \"part\": the fields of the payload are a part"
      ),
      (
        "{name: t, type: text to 0}", trailer,
        "a payload whose zeros are cut has fields of fixed sizes that are always there; \"t\" is none"
      ),
      (
        "{name: t, type: rest}", "{part: body, cut-zeros: length}",
        "a payload whose zeros are cut has fields of fixed sizes that are always there; \"t\" is none"
      ),
      (
        fields, "{name: n, type: u8}, {name: b, type: bytes in n}, {part: body, cut-zeros: length}",
        "the payload \"body\" comes before fields whose size the message shows or that may be missing, such as \"b\""
      ),
      (
        fields, "{part: body, cut-zeros: length}, {name: b, type: bytes in a}",
        "there is no number \"a\" before it; there are kind, length, flags"
      ),
      (
        fields, "{part: body, cut-zeros: length}, {name: b, type: u8, when: {field: a, bits: 1}}",
        "there is no unsigned number \"a\" before it; there are kind, length, flags"
      ),
      (
        "{name: big, type: bytes 256}", trailer,
        "\"body\" has 256 bytes, more than \"length\", uint8, can count"
      ),
      (
        fields, "{part: body, cut-zeros: length}, {name: c, type: u8, check: {algorithm: crc8, from: x}}",
        "zeros after \"x\" may be cut: name the first field of the payload, or the last"
      ),
      (
        fields, "{part: body, cut-zeros: length}, {name: c, type: u8, check: {algorithm: crc8, to: x}}",
        "zeros after \"x\" may be cut: name the first field of the payload, or the last"
      ),
      (
        "{name: c, type: u8, check: crc8}", trailer,
        "a checksum comes after a payload whose zeros are cut, and not within"
      ),
      (
        "{name: low, type: bits 4}", trailer,
        "\"low\" ends within a byte, of which 4 bits are missing: add a field, such as {name: spare, type: bits 4, reserved: true}"
      ),
      (fields, "{part: body, cut-zeros: length, at: 3}", "\"at\" has no effect next to \"part\", which is used alone"),
    ])
  func refused(_ payload: String, _ message: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try Self.read(payload, message) }
    #expect(error?.problem == problem)
  }

  @Test("A payload in a header, or whose length is that of the whole message, is an error")
  func header() {
    func problem(_ header: String, _ fields: String) -> String? {
      let text = """
        protocol: cut
        carriers: [{name: udp, over: udp, port: 5011}]
        header: [\(header)]
        parts: {body: [{name: a, type: u16}]}
        messages: [{name: ONE, from: client, fields: [\(fields)]}]
        """
      return #expect(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "cut.yaml") }?.problem
    }
    #expect(
      problem("{name: length, type: u8, is: length}", "{part: body, cut-zeros: length}")
        == "\"length\" is the length of the whole message: leave out \"is: length\"")
    #expect(
      problem("{name: n, type: u8}, {part: body, cut-zeros: n}", "{name: b, type: u8}")
        == "a header is sent whole: \"cut-zeros\" is for a part of a message")
  }

  @Test("The checksum may cover the payload alone, and the payload may end the message")
  func ends() throws {
    let owner = try Self.read(
      Self.fields, "{part: body, cut-zeros: length}, {name: c, type: u8, check: {algorithm: xor, from: a, to: high}}")
    let kind = try #require(owner["ONE"])
    let message = try Message(kind, fields: ["a": .unsigned(0x305)])
    #expect(message.bytes == [1, 2, 0, 5, 3, 6])
    #expect(Self.decode(message.bytes, owner).1 == [])
    let last = try Self.read(Self.fields, "{part: body, cut-zeros: length}")
    let short = try Message(try #require(last["ONE"]), fields: ["a": .unsigned(5)])
    #expect(short.bytes == [1, 1, 0, 5] && Self.decode(short.bytes, last).0?.value(of: "x") == .float(0))
    #expect(Self.decode([1, 2, 0, 5], last).0 == nil && Self.decode([1, 1, 0, 5, 6], last).1.count == 1)
  }
}
