import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapSuites
import TelecapWire
import Testing

@testable import TelecapConformance

@Suite("Texts that a character ends, and numbers in decimal digits") struct DecimalFieldTests {
  /// A wand that says where it is in a line of text.
  private static let text = """
    protocol: wand
    carriers: [{name: udp, over: udp, port: 40500}]
    header: [{name: word, type: text 3, is: type}]
    messages:
      - name: PLACE
        type: at,
        from: client
        fields:
          - {name: name, type: "text to ','"}
          - {name: x, type: "decimal to ','", decimals: 2, unit: m, range: [-10, 10]}
          - {name: turns, type: "decimal to ','"}
          - {name: heat, type: decimal to end, decimals: 1}
    streams:
      - {name: place, message: PLACE, values: [x, turns, heat]}
    """

  private static func read(_ text: String = text) throws -> WireProtocol {
    try ProtocolFile.read(text, file: "wand.yaml")
  }

  private static func decoded(_ line: String) throws -> (message: Message?, findings: [String]) {
    let bytes = Array(line.utf8)
    let read = Message.decode(bytes.span.bytes, as: try Self.read().dialects[0])
    return (read.message, read.findings.map { "\($0.rule.id) \($0.range): \($0)" })
  }

  @Test("Values are decoded, and encoded to the same line")
  func decoded() throws {
    let line = "at,left,-1.50,12,36.6"
    let (message, findings) = try Self.decoded(line)
    let read = try #require(message)
    #expect(findings == [])
    #expect(read.value(of: "name") == .text("left") && read.value(of: "x") == .double(-1.5))
    #expect(read.value(of: "turns") == .signed(12) && read.value(of: "heat") == .double(36.6))
    let fields: [String: FieldValue] = [
      "name": .text("left"), "x": .double(-1.5), "turns": .signed(12), "heat": .double(36.6),
    ]
    #expect(String(decoding: try Message(read.kind, fields: fields).bytes, as: UTF8.self) == line)
    #expect(String(decoding: Message(empty: read.kind).bytes, as: UTF8.self) == "at,,0.00,0,0.0")
  }

  @Test("A value that its field cannot hold is rejected")
  func refused() throws {
    let kind = try #require(try Self.read()["PLACE"])
    let most = 21_474_836.47
    for value in [most, -most - 0.01] {
      #expect(try Message(kind, fields: ["x": .double(value)]).value(of: "x") == .double(value))
    }
    for value in [most + 0.01, -most - 0.02, .nan, .infinity] {
      #expect(throws: WireError.self, "\(value)") { try Message(kind, fields: ["x": .double(value)]) }
    }
    for value in [FieldValue.text("a,b"), .bytes([44])] {
      #expect(throws: WireError.self) { try Message(kind, fields: ["name": value]) }
    }
  }

  @Test("Digits that are no number, and numbers beyond the range, are findings at their bytes")
  func findings() throws {
    let rows: [(String, [String])] = [
      ("at,a,10.00,-0,+.5", []), ("at,a,1.5000,1,1", []),
      ("at,a,10.004,1,1", ["value.rounded 5..<11: x has more digits after the point than 2, and is rounded to 10.0"]),
      ("at,a,1,1.6,1", ["value.rounded 7..<10: turns has more digits after the point than 0, and is rounded to 2"]),
      ("at,a,10.01,1,1", ["value.out-of-range 5..<10: x is 10.01; it must be in -10…10"]),
      ("at,a,-10.01,1,1", ["value.out-of-range 5..<11: x is -10.01; it must be in -10…10"]),
      ("at,a,1,2x,1", ["value.not-a-number 7..<9: turns is not a number in decimal digits that fits into 32 bits"]),
      ("at,a,1,,1", ["value.not-a-number 7..<7: turns is not a number in decimal digits that fits into 32 bits"]),
      ("at,a,1,1,", ["value.not-a-number 9..<9: heat is not a number in decimal digits that fits into 32 bits"]),
      ("at,a,1,1,nan", ["value.not-a-number 9..<12: heat is not a number in decimal digits that fits into 32 bits"]),
    ]
    for (line, expected) in rows {
      let (message, findings) = try Self.decoded(line)
      #expect(message != nil && findings == expected, "\(line)")
    }
  }

  @Test("A line that ends before a character that ends a field is truncated, wherever it is cut")
  func truncated() throws {
    let line = "at,left,-1.50,12,36.6"
    for count in 0..<line.utf8.count {
      let (message, findings) = try Self.decoded(String(line.prefix(count)))
      // The last number may be shorter, and is one from its first digit on.
      #expect((message != nil) == (count >= 17), "\(count)")
      #expect(findings.contains { $0.contains("truncated") } == (count < 17), "\(count)")
    }
  }

  @Test("Whatever is written, the other fields keep their values")
  func written() throws {
    let kind = try #require(try Self.read()["PLACE"])
    var random = SplitMix64(seed: 3)
    var message = Message(empty: kind)
    var values: [String: FieldValue] = ["name": .text(""), "x": .double(0), "turns": .signed(0), "heat": .double(0)]
    for _ in 0..<2_000 {
      let number = Int64(Int32(truncatingIfNeeded: random.next())) >> Int64(random.next() % 32)
      let (name, value): (String, FieldValue) =
        switch random.next() % 4 {
        case 0: ("name", .text(String(repeating: "n", count: Int(random.next() % 9))))
        case 1: ("x", .double(Double(number) / 100))
        case 2: ("turns", .signed(number))
        default: ("heat", .double(Double(number) / 10))
        }
      try message.set(name, to: value)
      values[name] = value
      for (name, value) in values { #expect(message.value(of: name) == value, "\(name)") }
    }
  }

  @Test("The right receiver passes, and wrong ones fail")
  func applied() async throws {
    let suite = Suite.declared(by: try Self.read())
    let systems = [
      ("wand-host", true), ("wand-host+confuses-values", false), ("wand-host+applies-not-finite", false),
      ("wand-client", true),
    ]
    for (system, isRight) in systems {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      #expect(!results.isEmpty && results.allSatisfy { $0.verdict == .pass } == isRight, "\(system)")
    }
  }

  @Test("The suite sends the numbers that a receiver in C or Python cannot read")
  func notFinite() throws {
    let suite = Suite.declared(by: try Self.read())
    let scenario = try #require(suite.scenarios.first { $0.id == "wand.place.finite" })
    let lines = scenario.steps.flatMap { step -> [String] in
      guard case .send(let messages, _) = step.work else { return [] }
      return messages.map { String(decoding: $0, as: UTF8.self) }
    }
    for text in ["nan", "inf", "-inf"] { #expect(lines.contains { $0.hasSuffix(",\(text)") }, "\(text)") }
  }

  @Test("Every change of a fuzzer is a number of 32 bits, and the message keeps its other fields")
  func hostile() throws {
    let kind = try #require(try Self.read()["PLACE"])
    let row = try #require(kind.layout["x"])
    let right = try Message(kind, fields: ["name": .text("tip"), "x": .double(1), "turns": .signed(7)])
    let changes = kind.hostileChanges.filter { $0.field == row }.map(\.change)
    for raw in [1_001, -1_001, Int64(Int32.max), Int64(Int32.min)] {
      #expect(changes.contains(.bits(UInt64(bitPattern: raw) & 0xffff_ffff)), "\(raw)")
    }
    for change in changes {
      let found = row.changeableBits(in: right.bytes.span.bytes)
      let present = try #require(found)
      let bits = try #require(row.bits(present, after: change))
      let bytes = Message.rearranged(right.bytes, as: kind, by: row, to: bits)
      let message = try #require(Message(decoding: bytes, as: kind.owner.dialects[0]))
      #expect(row.bits(in: bytes.span.bytes) == bits)
      #expect(message.value(of: "name") == .text("tip") && message.value(of: "turns") == .signed(7))
    }
  }

  @Test("The bits of a number below 0 are those that a change has, so that the same number is no change")
  func unchanged() throws {
    let kind = try #require(try Self.read()["PLACE"])
    let row = try #require(kind.layout["x"])
    let message = try Message(kind, fields: ["x": .double(-10)])
    let found = row.changeableBits(in: message.bytes.span.bytes)
    let present = try #require(found)
    #expect(row.bits(present, after: .bits(UInt64(bitPattern: -1_000))) == present)
  }

  @Test("A test vector may write its numbers in another way, and none may have another value")
  func vectors() throws {
    let owner = try Self.read()
    func problems(_ line: String, x: String = "1.5") throws -> [String] {
      let vector = """
        PLACE
          source: a test
          bytes: \(Hex.text(Array(line.utf8)))
          name = "a"
          x = \(x)
          turns = 2
          heat = 3
        """
      let read = try VectorFile.read(vector, file: "wand.txt")
      return try VectorCheck(read, of: owner, file: "wand.txt").problems.map(\.reason)
    }
    for line in ["at,a,1.50,2,3.0", "at,a,1.5,2,3", "at,a,+1.500, 2,3.0\n"] {
      #expect(try problems(line) == [], "\(line)")
    }
    #expect(try problems("at,a,1.6,2,3") == ["x: expected 1.5, observed 1.6"])
  }

  @Test("A number is written only into a message that is all there")
  func cut() throws {
    let kind = try #require(try Self.read()["PLACE"])
    let x = try #require(kind.layout["x"])
    for line in ["at,a,1.00,2", "at,a,1.0", "at,", "at,a,1.00,2,3.0"] {
      let bytes = Array(line.utf8)
      let written = Message.rearranged(bytes, as: kind, by: x, to: 500)
      let isWhole = line.hasSuffix("3.0")
      #expect(String(decoding: written, as: UTF8.self) == (isWhole ? "at,a,5.00,2,3.0" : line))
    }
  }

  @Test("Spellings that receivers read in different ways have no certain value, and those of printf have")
  func spellings() throws {
    let kind = try #require(try Self.read()["PLACE"])
    let rows: [(String, Bool)] = [
      ("1.50", true), ("-0.05", true), ("nan", true), ("-inf", true), ("1.5", false), ("1.505", false),
      ("+1.50", false),
      (" 1.50", false), ("01.50", false), ("1x", false), ("", false), ("1e3", false), ("NaN", false), ("-0.00", false),
    ]
    for (digits, isUsual) in rows {
      let bytes = Array("at,a,\(digits),1,1.0".utf8)
      let row = try #require(kind.layout["x"])
      #expect(row.hasUsualDigits(in: bytes.span.bytes) == isUsual, "\(digits)")
    }
  }

  /// The verdict on a receiver that shows these values at a line, which comes after a usual one that it shows too.
  private static func verdict(_ line: String, shown: [Double]?) throws -> Verdict {
    let owner = try read()
    let stream = try #require(JudgedStream(declared: owner.streams[0], by: owner))
    var oracle = Oracle([stream])
    func deliver(_ line: String, at second: Int64, packet: Int, _ shown: [Double]?) {
      let time = Timestamp(nanoseconds: second * 1_000_000_000)
      let bytes = Array(line.utf8)
      oracle.delivered(
        bytes.span.bytes, over: .udp, from: Endpoint(.loopback, port: 4_001), at: time, packet: packet)
      guard let shown else { return }
      oracle.observed(.applied(AppliedValue(stream: "place", values: StreamValues(shown))), at: time)
    }
    deliver("at,a,1.00,2,3.0", at: 1, packet: 1, [1, 2, 3])
    deliver(line, at: 2, packet: 2, shown)
    oracle.finish(at: Timestamp(nanoseconds: 3_000_000_000))
    return try #require(oracle.checks["wand.place.latest-value-wins"]).verdict
  }

  @Test("A receiver may read unusual spellings in its own way, or drop them, and has to read usual ones")
  func readInOtherWays() throws {
    for (line, shown) in [
      ("at,a,1.505,2,3.0", [1.505, 2, 3]), ("at,a,1.505,2,3.0", [1.51, 2, 3]), ("at,a,1.5,2,3.0", nil),
      ("at,a,1.50,2x,3.0", [1.5, 2, 3]), ("at,a,1.50,2x,3.0", nil), ("at,a,1e1,2,3.0", [10, 2, 3]),
      ("at,a,1.50,2,3.0", [1.5, 2, 3]),
    ] as [(String, [Double]?)] {
      #expect(try Self.verdict(line, shown: shown) == .pass, "\(line) \(shown ?? [])")
    }
    for (line, shown) in [
      ("at,a,1.50,2,3.0", [1.51, 2, 3]), ("at,a,1.50,2,3.0", nil), ("at,a,1.50,2,3.0", [1.5, 2, 3.1]),
    ] as [(String, [Double]?)] {
      #expect(try Self.verdict(line, shown: shown) == .fail, "\(line) \(shown ?? [])")
    }
  }

  @Test("A length and a checksum that --set gives stay beside a number of another size, in either order")
  func set() throws {
    let owner = try Self.read(
      """
      protocol: rod
      carriers: [{name: udp, over: udp, port: 40501}]
      header: [{name: kind, type: u8, is: type}, {name: len, type: u8, is: length}]
      messages:
        - name: BEND
          type: 1
          from: client
          fields: [{name: x, type: decimal to ';'}, {name: sum, type: u8, check: sum}]
      """)
    let right = try Message(try #require(owner["BEND"]), fields: ["x": .signed(5)]).bytes
    func changed(_ words: String) throws -> [UInt8] {
      let changer = try MessageChanger([owner], Impairments(parsing: words))
      var bytes = right
      var wish = RequestedChanges()
      wish.sets = .max
      let changes = changer.changes(wish, of: bytes.span.bytes, as: owner.dialects[0])
      try changer.apply(changes, to: &bytes, as: owner.dialects[0])
      return bytes
    }
    let number = Array("-325;".utf8)
    func sum(_ length: UInt8) -> UInt8 { ([1, length] + number).reduce(0, &+) }
    #expect(try changed("--set x=-325") == [1, 8] + number + [sum(8)])
    for words in ["--set len=99 --set x=-325", "--set x=-325 --set len=99"] {
      #expect(try changed(words) == [1, 99] + number + [sum(99)], "\(words)")
    }
    for words in ["--set sum=7 --set x=-325", "--set x=-325 --set sum=7"] {
      #expect(try changed(words) == [1, 8] + number + [7], "\(words)")
    }
  }

  @Test(
    "An impossible field is an error with its line",
    arguments: [
      (
        "type: decimal",
        "a decimal number ends with a character or with the message: write \"decimal to ';'\" or \"decimal to end\""
      ),
      (
        "type: decimal to ;",
        "\"decimal to ;\": write the character that ends it in quotes, \"decimal to ';'\", or as a byte, \"decimal to 0x0a\", or \"decimal to end\""
      ),
      (
        "type: decimal 2",
        "a decimal number ends with a character or with the message: write \"decimal to ';'\" or \"decimal to end\""
      ),
      ("type: decimal to 0, padded-to: 4", "\"padded-to\" requires \"text to 0\"; \"turns\" is decimal"),
      ("type: text to 'B', characters: A-C", "'B' ends \"turns\", and cannot be one of its characters"),
      ("type: text to ';', json: true", "\"json\" is for text in FIELD; \"turns\" is char[]"),
      ("type: decimal to '5'", "'5' may be a part of a number, and cannot end it"),
      ("type: decimal to '.'", "'.' may be a part of a number, and cannot end it"),
      ("type: text to end", "text that takes all that is left is \"rest\""),
      (
        "type: text to ;",
        "\"text to ;\": write \"text to 0\", or the character that ends it in quotes, \"text to ';'\""
      ),
      ("type: bytes to 0", "bytes may have any value, and only text ends with a certain byte: write \"text to 0\""),
      ("type: decimal to end", "\"turns\" before it takes the rest of the message: nothing follows it"),
      ("type: decimal to ';', decimals: 10", "\"decimals\" is a number of digits, 0 to 9, found 10"),
      ("type: u8, decimals: 1", "\"decimals\" requires \"decimal to\"; \"turns\" is uint8"),
      (
        "type: decimal to ';', scale: 0.1",
        "the digits of \"turns\" are its value; \"decimals\" is the number of digits after the point"
      ),
      ("type: decimal to ';', equals: 3", "\"equals\" is for numbers in bytes, and text; \"turns\" is decimal"),
      ("type: decimal to ';', codes: {1: on}", "\"codes\" is for numbers in bytes; \"turns\" is decimal"),
      ("type: decimal to ';', byte-order: big", "\"byte-order\" is for numbers of several bytes; \"turns\" is decimal"),
      ("type: decimal to ';', padded-to: 4", "\"padded-to\" requires \"text to 0\"; \"turns\" is decimal"),
      ("type: decimal to ';', shown: hexadecimal", "\"shown: hexadecimal\" is for whole numbers; \"turns\" is decimal"),
      (
        "type: text to ';', equals: on",
        "\"turns\" is a text that is always the same: write \"text N\" with the character that ends it"
      ),
    ])
  func refused(_ type: String, _ problem: String) throws {
    let text = Self.text.replacing("turns, type: \"decimal to ','\"", with: "turns, \(type)")
    let error = #expect(throws: YAMLFileError.self) { try Self.read(text) }
    #expect(error?.problem == problem)
  }

  @Test(
    "A number to the end of a message is in no part that repeats, under no checksum that names it, and beside no length"
  )
  func ends() throws {
    let header = "type: text 3, is: type}"
    let rows = [
      (header, "type: text 3, is: type}, {name: len, type: u8, is: length}", "\"len\" is the length of the message"),
      (
        "decimals: 1}", "decimals: 1}\n      - {name: sum, type: u8, check: sum}",
        "\"heat\" before it takes the rest of the message: nothing follows it"
      ),
    ]
    for (right, wrong, problem) in rows {
      let error = #expect(throws: YAMLFileError.self) { try Self.read(Self.text.replacing(right, with: wrong)) }
      #expect(error?.problem.hasPrefix(problem) == true, "\(error?.problem ?? "")")
    }
    let sum = Self.text.replacing(
      "- {name: name,",
      with: "- {name: sum, type: u8, check: {algorithm: sum, from: x, to: heat}}\n      - {name: name,")
    let error = #expect(throws: YAMLFileError.self) { try Self.read(sum) }
    #expect(error?.problem == "\"heat\" takes the rest of the message: write \"to: end\"")
    let part = Self.text.replacing(
      "messages:", with: "parts: {spot: [{name: mark, type: u8}, {name: at_x, type: decimal to end}]}\nmessages:"
    )
    .replacing("- {name: name,", with: "- {name: spots, repeat: spot, times: 2}\n      - {name: name,")
    let repeated = #expect(throws: YAMLFileError.self) { try Self.read(part) }
    #expect(repeated?.problem == "an entry of a part that repeats has to show its end: \"decimal to end\" has none")
  }

  @Test("A tab and a line feed end a number")
  func spaces() throws {
    for end in ["0x09", "0x0a", "' '"] {
      _ = try Self.read(Self.text.replacing("turns, type: \"decimal to ','\"", with: "turns, type: decimal to \(end)"))
    }
  }

  @Test("A decimal number is no order, key, length or type")
  func counts() throws {
    let order = Self.text.replacing("values: [x", with: "order: turns, values: [x")
    let error = #expect(throws: YAMLFileError.self) { try Self.read(order) }
    #expect(error?.problem == "\"turns\" is decimal, and no unsigned number")
    for (right, wrong, problem) in [
      ("values: [x", "key: [turns], values: [x", "\"turns\" is decimal, and no unsigned number"),
      (
        "{name: heat,", "{name: note, type: text in turns}\n      - {name: heat,",
        "there is no number \"turns\" before it; there are "
      ),
      (
        "type: text 3, is: type", "type: decimal to ';', is: type",
        "a header's fields have a fixed size; \"decimal to ';'\" has none"
      ),
    ] {
      let error = #expect(throws: YAMLFileError.self) { try Self.read(Self.text.replacing(right, with: wrong)) }
      #expect(error?.problem == problem)
    }
  }
}
