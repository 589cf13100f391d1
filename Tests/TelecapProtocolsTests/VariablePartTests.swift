import TelecapConformance
import TelecapImpairment
import TelecapLoop
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("Fields after those of variable size, and fields that may be missing") struct VariablePartTests {
  private static func read(_ fields: String, _ more: String = "") throws -> WireProtocol {
    try ProtocolFile.read(
      """
      protocol: parts
      byte-order: big
      carriers: [{name: udp, over: udp, port: 5008}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - {name: ONE, type: 1, from: client, fields: [\(fields)]}
      \(more)
      """, file: "parts.yaml")
  }

  private static func decode(_ bytes: [UInt8], _ owner: WireProtocol) -> (Message?, [String]) {
    let (message, findings) = Message.decode(bytes.span.bytes, as: owner.dialects[0])
    return (message, findings.map { "\($0)" })
  }

  private static let two =
    "{name: n, type: u8}, {name: a, type: text in n}, {name: m, type: u8}, {name: b, type: bytes in m}, {name: x, type: u16, range: [1, 9]}"

  @Test("Fields after two texts of variable size are found at their ends")
  func afterTexts() throws {
    let owner = try Self.read(Self.two)
    let bytes: [UInt8] = [1, 2, 0x68, 0x69, 3, 7, 8, 9, 0, 5]
    let (message, findings) = Self.decode(bytes, owner)
    #expect(findings == [])
    let fields: [String: FieldValue] = ["a": .text("hi"), "b": .bytes([7, 8, 9]), "x": .unsigned(5)]
    for (name, value) in fields { #expect(message?.value(of: name) == value, "\(name)") }
    let kind = try #require(owner["ONE"])
    #expect(try Message(kind, fields: fields).bytes == bytes)
    #expect(Message.right(kind).bytes == [1, 0, 0, 0, 1])
    var longer = try #require(message)
    try longer.set("a", to: .text("hello"))
    #expect(longer.value(of: "b") == .bytes([7, 8, 9]) && longer.value(of: "x") == .unsigned(5))
    #expect(longer.bytes.count == 13)
  }

  @Test("Each shorter message is truncated, and a value out of range is found where it is")
  func truncated() throws {
    let owner = try Self.read(Self.two)
    let bytes: [UInt8] = [1, 2, 0x68, 0x69, 3, 7, 8, 9, 0, 10]
    for count in 1..<bytes.count { #expect(Self.decode(Array(bytes[..<count]), owner).0 == nil, "\(count)") }
    var findings: [Finding] = []
    _ = MessageDecoder.decode(bytes.span.bytes, as: owner.dialects[0], findings: &findings)
    #expect(findings.map(\.range) == [8..<10])
    #expect(findings.map { "\($0)" } == ["x is 10; it must be in 1…9"])
    #expect(Self.decode([1, 0xff, 0xff], owner).1 == ["truncated: needed 5 bytes, had 3"])
    #expect(Self.decode([1, 0xff, 0xff, 0, 0], owner).1 == ["truncated: needed 260 bytes, had 5"])
  }

  @Test(
    "A checksum after a variable payload is checked, as in a Crossfire parameter"
  )
  func checksum() throws {
    let owner = try ProtocolFile.read(
      """
      protocol: frames
      carriers: [{name: udp, over: udp, port: 5009}]
      header:
        - {name: address, type: u8}
        - {name: length, type: u8, is: length, excluding: 2}
        - {name: kind, type: u8, is: type}
      messages:
        - name: ANY
          type: 0x16
          from: client
          fields:
            - {name: payload, type: bytes in length, less: 2}
            - {name: crc, type: u8, check: {algorithm: crc8-dvb-s2, from: kind}}
      """, file: "frames.yaml")
    // Betaflight, src/test/unit/rx_crsf_unittest.cc.
    let bytes = Hex.bytes("001816bd089ff4aef7bdef7deffbadfd452b5a0100000000006c") ?? []
    let (message, findings) = Self.decode(bytes, owner)
    #expect(findings == [] && message?.value(of: "crc") == .unsigned(0x6c))
    let kind = try #require(owner["ANY"])
    #expect(try Message(kind, fields: ["payload": .bytes(Array(bytes[3..<25]))]).bytes == bytes)
    for index in 2..<bytes.count {
      var wrong = bytes
      wrong[index] ^= 1
      #expect(Self.decode(wrong, owner).0 == nil, "\(index)")
    }
  }

  @Test("A length may count words, and bytes that are no whole number of words are rejected")
  func words() throws {
    let owner = try Self.read(
      "{name: n, type: u8}, {name: a, type: bytes in n, words: 4, less: 4}, {name: x, type: u8}")
    let kind = try #require(owner["ONE"])
    let message = try Message(kind, fields: ["a": .bytes([1, 2, 3, 4]), "x": .unsigned(9)])
    #expect(message.bytes == [1, 2, 1, 2, 3, 4, 9])
    #expect(Self.decode(message.bytes, owner).1 == [])
    #expect(Message(empty: kind).bytes == [1, 1, 0])
    #expect(throws: WireError.self) { try Message(kind, fields: ["a": .bytes([1, 2, 3])]) }
  }

  private static let flagged =
    "{name: flags, type: u8}, {name: a, type: u16, when: {field: flags, bits: 0x10}}, {name: b, type: u8, when: {field: flags, equals: 3}}, {name: c, type: u8}"

  @Test("A field is present if the bits of an earlier one say so, when read and when written")
  func conditions() throws {
    let owner = try Self.read(Self.flagged)
    let kind = try #require(owner["ONE"])
    for (bytes, a, b) in [
      ([1, 0, 9], nil, nil), ([1, 0x10, 1, 2, 9], 0x102, nil), ([1, 3, 7, 9], nil, 7),
      ([1, 0x13, 1, 2, 9], 0x102, nil),
    ] as [([UInt8], UInt64?, UInt64?)] {
      let (message, findings) = Self.decode(bytes, owner)
      #expect(findings == [], "\(bytes)")
      #expect(message?.value(of: "a") == a.map { .unsigned($0) }, "\(bytes)")
      #expect(message?.value(of: "b") == b.map { .unsigned($0) }, "\(bytes)")
      #expect(message?.value(of: "c") == .unsigned(9), "\(bytes)")
    }
    #expect(Self.decode([1, 0x10, 1, 2], owner).1 == ["truncated: needed 5 bytes, had 4"])
    #expect(try Message(kind, fields: ["a": .unsigned(0x102), "c": .unsigned(9)]).bytes == [1, 0x10, 1, 2, 9])
    var message = try Message(kind, fields: ["b": .unsigned(7), "c": .unsigned(9)])
    #expect(message.bytes == [1, 3, 7, 9])
    try message.set("flags", to: .unsigned(0x10))
    #expect(message.bytes == [1, 0x10, 0, 0, 9])
    try message.set("flags", to: .unsigned(0))
    #expect(message.bytes == [1, 0, 9])
  }

  @Test("A message may end before an optional field, and not within it")
  func optional() throws {
    let owner = try Self.read(
      "{name: a, type: u8}, {name: b, type: u16, optional: true}, {name: c, type: u8, optional: true}")
    let kind = try #require(owner["ONE"])
    for (bytes, isRight) in [
      ([1, 7], true), ([1, 7, 1], false), ([1, 7, 1, 2], true), ([1, 7, 1, 2, 3], true),
    ] as [([UInt8], Bool)] {
      let (message, findings) = Self.decode(bytes, owner)
      #expect((message != nil) == isRight && findings.isEmpty == isRight, "\(bytes) \(findings)")
    }
    #expect(Self.decode([1, 7], owner).0?.value(of: "b") == nil)
    #expect(try Message(kind, fields: ["a": .unsigned(7)]).bytes == [1, 7])
    #expect(try Message(kind, fields: ["a": .unsigned(7), "c": .unsigned(3)]).bytes == [1, 7, 0, 0, 3])
  }

  @Test("Text that ends with a 0 is padded to four bytes from the start of the message, as in OSC")
  func terminated() throws {
    let owner = try Self.read(
      "{name: a, type: text to 0, padded-to: 4, characters: a-z, count: [0, 9]}, {name: x, type: u8}")
    let kind = try #require(owner["ONE"])
    for (text, bytes) in [
      ("", [1, 0, 0, 0, 9]), ("ab", [1, 0x61, 0x62, 0, 9]), ("abc", [1, 0x61, 0x62, 0x63, 0, 0, 0, 0, 9]),
    ] as [(String, [UInt8])] {
      #expect(try Message(kind, fields: ["a": .text(text), "x": .unsigned(9)]).bytes == bytes, "\(text)")
      let (message, findings) = Self.decode(bytes, owner)
      #expect(findings == [] && message?.value(of: "a") == .text(text), "\(text) \(findings)")
      #expect(message?.value(of: "x") == .unsigned(9))
    }
    #expect(Self.decode([1, 0x61, 0x62, 0x63], owner).0 == nil)
    #expect(Self.decode([1, 0x41, 0, 0, 9], owner).1.count == 1)
    #expect(throws: WireError.self) { try Message(kind, fields: ["a": .text("a\0b")]) }
  }

  @Test("Text is padded again when a field before it changes its size")
  func paddedAnew() throws {
    let owner = try Self.read(
      "{name: flags, type: u8}, {name: e, type: u16, when: {field: flags, bits: 1}}, {name: n, type: u8}, "
        + "{name: t, type: text in n}, {name: a, type: text to 0, padded-to: 4}, {name: b, type: text to 0, padded-to: 4}, "
        + "{name: x, type: u8, equals: 9}")
    let kind = try #require(owner["ONE"])
    #expect(Message(empty: kind).bytes == [1, 0, 0, 0, 0, 0, 0, 0, 9])
    for size in 0..<9 {
      for isThere in [false, true] {
        let fields: [String: FieldValue] = ["t": .bytes([UInt8](repeating: 0x74, count: size))]
        var message = try Message(kind, fields: ["a": .text("ab"), "b": .text("c")])
        message = try Message(message, fields: fields)
        if isThere { try message.set("e", to: .unsigned(0x102)) }
        let (decoded, findings) = Self.decode(message.bytes, owner)
        #expect(findings == [], "\(message.bytes)")
        #expect(decoded?.value(of: "a") == .text("ab") && decoded?.value(of: "b") == .text("c"), "\(message.bytes)")
        #expect(decoded?.value(of: "x") == .unsigned(9) && (message.bytes.count - 1).isMultiple(of: 4))
        let start = isThere ? 5 : 3
        #expect(message.bytes.count == (start + size + 3 + 3) / 4 * 4 + 5, "\(message.bytes)")
        try message.set("flags", to: .unsigned(0))
        #expect(Self.decode(message.bytes, owner).1 == [], "\(message.bytes)")
        let shortest = try Message(message, fields: ["t": .text("")]).bytes
        #expect(shortest == [1, 0, 0, 0x61, 0x62, 0, 0, 0, 0x63, 0, 0, 0, 9])
      }
    }
  }

  @Test("A message is the same for every order in which its fields are written", arguments: [false, true])
  func anyOrder(_ isReversed: Bool) throws {
    let owner = try Self.read(
      "{name: flags, type: u8}, {name: n, type: u8, when: {field: flags, bits: 2}}, {name: t, type: text in n}, "
        + "{name: a, type: text to 0, padded-to: 4}, {name: m, type: u8}, {name: o, type: bytes in m, less: 1}, "
        + "{name: five, type: u8, when: {field: m, equals: 5}}, {name: crc, type: u16, check: crc16-x25}")
    let kind = try #require(owner["ONE"])
    let fields: [(String, FieldValue)] = [
      ("t", .text("hey")), ("a", .text("ab")), ("o", .bytes([1, 2, 3, 4])), ("five", .unsigned(7)),
    ]
    var message = Message(empty: kind)
    for (name, value) in isReversed ? fields.reversed() : fields { try message.set(name, to: value) }
    message.seal()
    #expect(message.bytes.dropLast(2) == [1, 2, 3, 0x68, 0x65, 0x79, 0x61, 0x62, 0, 0, 0, 0, 5, 1, 2, 3, 4, 7])
    let (decoded, findings) = Self.decode(message.bytes, owner)
    #expect(findings == [])
    for (name, value) in fields { #expect(decoded?.value(of: name) == value, "\(name)") }
    var values: [String: FieldValue] = [:]
    for row in kind.layout.fields { values[row.name] = row.value(in: message.bytes.span.bytes) }
    #expect(try Message(kind, fields: values).bytes == message.bytes)
    // A text that its count makes empty causes no other field to appear.
    #expect(try Message(kind, fields: ["t": .text("")]).bytes.prefix(2) == [1, 0])
  }

  @Test("A field that appears has its constant, and fields that depend on it follow it")
  func nested() throws {
    let owner = try Self.read(
      "{name: flags, type: u8}, {name: kind2, type: u8, when: {field: flags, bits: 1}}, "
        + "{name: a, type: u8, when: {field: kind2, equals: 0}}, {name: v, type: u8, equals: 9, when: {field: flags, bits: 2}}, "
        + "{name: z, type: u8}")
    let kind = try #require(owner["ONE"])
    var message = try Message(kind, fields: ["z": .unsigned(5)])
    #expect(message.bytes == [1, 0, 5])
    try message.set("flags", to: .unsigned(3))
    #expect(message.bytes == [1, 3, 0, 0, 9, 5])
    try message.set("kind2", to: .unsigned(4))
    #expect(message.bytes == [1, 3, 4, 9, 5])
    try message.set("flags", to: .unsigned(2))
    #expect(message.bytes == [1, 2, 9, 5])
    try message.set("a", to: .unsigned(6))
    #expect(message.bytes == [1, 3, 0, 6, 9, 5])
  }

  @Test("An optional field before an empty rest may be left out, and is not read after the message")
  func optionalRest() throws {
    let owner = try Self.read(
      "{name: a, type: u8}, {name: b, type: u8, optional: true, range: [0, 5]}, {name: c, type: rest}")
    for (bytes, b, c) in [
      ([1, 7], nil, []), ([1, 7, 5], 5, []), ([1, 7, 5, 6], 5, [6]),
    ] as [([UInt8], UInt64?, [UInt8])] {
      let (message, findings) = Self.decode(bytes, owner)
      #expect(findings == [] && message?.value(of: "b") == b.map { .unsigned($0) }, "\(bytes)")
      #expect(message?.value(of: "c") == .bytes(c), "\(bytes)")
    }
    let sized = try ProtocolFile.read(
      """
      protocol: sized
      carriers: [{name: udp, over: udp, port: 5010}]
      header: [{name: length, type: u8, is: length}]
      messages: [{name: ONE, from: client, fields: [{name: a, type: u8}, {name: b, type: u8, optional: true, range: [0, 5]}]}]
      """, file: "sized.yaml")
    #expect(Self.decode([2, 7, 9], sized).1.count == 1, "bytes after the message only")
    #expect(Self.decode([3, 7, 9], sized).1.count == 1, "b is out of its range")
    #expect(Self.decode([3, 7, 5], sized).1 == [])
  }

  @Test("Checksums that cover each other are written in that order, also if one is missing")
  func checksums() throws {
    let owner = try Self.read(
      "{name: flags, type: u8}, {name: t, type: text to 0}, "
        + "{name: one, type: u8, when: {field: flags, bits: 1}, check: xor}, {name: two, type: u16, check: crc16-x25}")
    let kind = try #require(owner["ONE"])
    for flags in [0, 1] as [UInt64] {
      let message = try Message(kind, fields: ["flags": .unsigned(flags), "t": .text("abc")])
      #expect(message.bytes.count == 8 + Int(flags))
      #expect(Self.decode(message.bytes, owner).1 == [], "\(message.bytes)")
      for index in 1..<message.bytes.count {
        var wrong = message.bytes
        wrong[index] ^= 0x40
        #expect(Self.decode(wrong, owner).0 == nil, "\(index)")
        #expect(Self.decode(Array(message.bytes[..<index]), owner).0 == nil, "\(index)")
      }
    }
  }

  @Test("A stream uses the floats after a text, in either byte order", arguments: ["little", "big"])
  func floats(_ order: String) throws {
    let owner = try Self.read(
      "{name: t, type: text to 0}, {name: number, type: u16}, {name: x, type: f32, byte-order: \(order)}",
      "streams: [{name: x, message: ONE, order: number, values: [x]}]")
    let kind = try #require(owner["ONE"])
    let bytes = try Message(kind, fields: ["t": .text("some"), "x": .float(1.5)]).bytes
    var values = StreamValues()
    NumberPlaces([try #require(kind.layout["x"])]).read(bytes.span.bytes, into: &values)
    #expect(Array(values) == [1.5])
  }

  @Test("A set field that others depend on leaves a valid message, and a hostile one moves nothing")
  func changed() throws {
    let owner = try Self.read(Self.flagged)
    func changed(_ words: String, _ bytes: [UInt8], isHostile: Bool = false) throws -> [UInt8] {
      let changer = try MessageChanger([owner], Impairments(parsing: "--set \(words)"))
      var wish = RequestedChanges()
      wish.sets = 1
      var (changes, changed) = (FieldChanges(), bytes)
      for var change in changer.changes(wish, of: bytes.span.bytes, as: owner.dialects[0]) {
        change.isHostile = isHostile
        changes.put(change)
      }
      try changer.apply(changes, to: &changed, as: owner.dialects[0])
      return changed
    }
    #expect(try changed("flags=16", [1, 0, 9]) == [1, 0x10, 0, 0, 9])
    #expect(try changed("flags=0", [1, 0x10, 1, 2, 9]) == [1, 0, 9])
    #expect(try changed("flags=16", [1, 0, 9], isHostile: true) == [1, 0x10, 9])
    #expect(try changed("a=7", [1, 0x10, 1, 2, 9]) == [1, 0x10, 0, 7, 9])
    // A missing field is not set.
    #expect(try changed("a=7", [1, 0, 9]) == [1, 0, 9])
  }

  @Test("The suite of a stream of such messages passes right models and fails a wrong one")
  func judged() async throws {
    let owner = try Self.read(
      "{name: n, type: u8}, {name: a, type: text in n}, {name: number, type: u16}, {name: x, type: i16}",
      "streams: [{name: x, message: ONE, order: number, values: [x]}]")
    let suite = Suite.declared(by: owner)
    for (system, isRight) in [("parts-host", true), ("parts-client", true), ("parts-host+wrap-is-old", false)] {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      let wrong = results.filter { $0.verdict != .pass }.map { "\($0.scenario.id): \($0.verdict)" }
      #expect(!results.isEmpty && wrong.isEmpty == isRight, "\(system): \(wrong)")
    }
  }

  @Test("Every change of the fuzzer can be decoded")
  func hostile() throws {
    for fields in [Self.two, Self.flagged] {
      let owner = try Self.read(fields)
      let kind = try #require(owner["ONE"])
      let right = Message.right(kind).bytes
      for (row, change) in kind.hostileChanges {
        guard let row, let present = row.changeableBits(in: right.span.bytes),
          let bits = row.bits(present, after: change)
        else { continue }
        var changed = right
        row.write(bits: bits, into: &changed)
        _ = Self.decode(changed, owner)
        for field in kind.layout.fields { _ = field.value(in: changed.span.bytes) }
      }
    }
  }

  @Test(
    "An error names its line and column",
    arguments: [
      (
        "{name: a, type: rest}, {name: b, type: u8}",
        "\"a\" before it takes the rest of the message: nothing follows it"
      ),
      ("{name: a, type: u8, less: 2}", "\"less\" requires \"text in FIELD\" or \"bytes in FIELD\"; \"a\" is uint8"),
      ("{name: n, type: u8}, {name: a, type: text in n, words: 1}", "\"words\" is a number of bytes, 2 to 64, found 1"),
      (
        "{name: n, type: u8}, {name: a, type: text in n, less: -1}",
        "\"less\" is a number of bytes, 0 to 65507, found -1"
      ),
      ("{name: a, type: text 4, padded-to: 4}", "\"padded-to\" requires \"text to 0\"; \"a\" is char[4]"),
      (
        "{name: a, type: bytes to 0}",
        "bytes may have any value, and only text ends with a certain byte: write \"text to 0\""
      ),
      (
        "{name: a, type: u8, when: {field: b, bits: 1}}",
        "there is no unsigned number \"b\" before it; there are kind"
      ),
      ("{name: f, type: u8}, {name: a, type: u8, when: {field: f}}", "\"when\" requires \"bits\" or \"equals\""),
      (
        "{name: f, type: u8}, {name: a, type: u8, when: {field: f, bits: 1, equals: 1}}",
        "\"bits\" and \"equals\" cannot be combined"
      ),
      (
        "{name: f, type: u8}, {name: a, type: u8, when: {field: f, bits: 256}}",
        "\"f\" is uint8, which has no bits 256"
      ),
      (
        "{name: f, type: u8}, {name: a, type: u8, when: {field: f, equals: 256}}",
        "\"f\" is uint8, which holds whole numbers from 0 to 255, not 256"
      ),
      (
        "{name: f, type: u8}, {name: a, type: text in f, when: {field: f, bits: 1}}",
        "\"when\" belongs to the number that counts \"a\": without that it is empty"
      ),
      (
        "{name: a, type: u8, optional: true}, {name: b, type: u8}",
        "the message may end before \"a\", and so before \"b\": write \"optional: true\" here too"
      ),
      (
        "{name: a, type: text to 0, optional: true}",
        "\"optional\" is for fields of a fixed size; \"a\" is char[], which may be empty"
      ),
    ])
  func refused(_ fields: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try Self.read(fields) }
    #expect(error?.problem == problem)
    #expect(error?.line == 6)
  }

  @Test(
    "A field of a stream or of a session must always be present",
    arguments: [
      "streams: [{name: x, message: ONE, values: [a]}]", "session: {asked-by: ONE, answered-by: [TWO], id: a}",
      "session: {asked-by: ONE, answered-by: [TWO], accepts: {a: 1}}",
    ])
  func always(_ use: String) throws {
    let two = "]}\n  - {name: TWO, type: 2, from: host, fields: ["
    let error = #expect(throws: YAMLFileError.self) { try Self.read(Self.flagged + two + Self.flagged, use) }
    #expect(error?.problem == "\"a\" may be missing: streams and sessions use fields that are in each message")
    // The same with a field that is always there.
    _ = try Self.read(
      Self.flagged + two + Self.flagged,
      use.replacing("[a]", with: "[c]").replacing("a: 1", with: "c: 1")
        .replacing("id: a", with: "id: c"))
  }

  @Test("At most 32 fields may have a variable size or be missing")
  func maximum() throws {
    func fields(_ count: Int) -> String {
      "{name: f, type: u8}, "
        + (0..<count).map { "{name: a\($0), type: u8, when: {field: f, bits: 1}}" }.joined(separator: ", ")
    }
    _ = try Self.read(fields(32))
    #expect(throws: YAMLFileError.self) { try Self.read(fields(33)) }
  }
}
