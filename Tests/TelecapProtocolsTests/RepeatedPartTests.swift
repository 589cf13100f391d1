import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@Suite("Fields that repeat: entries of a part") struct RepeatedPartTests {
  private static let parts = """
      tile: [{name: x, type: i16, range: [0, 1000]}, {name: hue, type: bits 4}, {name: level, type: bits 12}]
      label: [{name: length, type: u8}, {name: text, type: text in length}, {name: side, type: u8, codes: {1: left}}]
    """

  private static func read(
    _ fields: String, parts: String = parts, exact: Bool = false, _ more: String = ""
  ) throws -> WireProtocol {
    try ProtocolFile.read(
      """
      protocol: wall
      byte-order: big
      exact: \(exact)
      carriers: [{name: udp, over: udp, port: 7100}]
      header: [{name: kind, type: u8, is: type}]
      parts:
      \(parts)
      messages:
        - {name: ONE, type: 1, from: client, fields: [\(fields)]}
      \(more)
      """, file: "wall.yaml")
  }

  private static func decode(_ bytes: [UInt8], _ owner: WireProtocol) -> (Message?, [String]) {
    let (message, findings) = Message.decode(bytes.span.bytes, as: owner.dialects[0])
    return (message, findings.map { "\($0)" })
  }

  private static let counted = "{name: n, type: u8}, {name: tiles, repeat: tile, times: n}, {name: end, type: u8}"
  private static let labels = "{name: n, type: u8}, {name: labels, repeat: label, times: n}, {name: end, type: u8}"

  // MARK: - Decoding

  @Test("A number counts entries of one size, and fields follow them")
  func counts() throws {
    let owner = try Self.read(Self.counted)
    let bytes: [UInt8] = [1, 2, 0, 5, 0x60, 7, 0xff, 0xff, 0xff, 0xff, 9]
    let (message, findings) = Self.decode(bytes, owner)
    #expect(findings == ["tiles[1].x is -1; it must be in 0…1000"])
    let values: [(String, FieldValue)] = [
      ("n", .unsigned(2)), ("tiles[0].x", .signed(5)), ("tiles[0].hue", .unsigned(6)), ("tiles[0].level", .unsigned(7)),
      ("tiles[1].x", .signed(-1)), ("tiles[1].level", .unsigned(0xfff)), ("end", .unsigned(9)),
    ]
    for (path, value) in values { #expect(message?.value(of: path) == value, "\(path)") }
    for path in ["tiles[2].x", "tiles[-1].x", "tiles[0].y", "tiles[0]", "tiles[a].x", "end[0].x", "tiles[0.x"] {
      #expect(message?.value(of: path) == nil, "\(path)")
    }
  }

  @Test("A wrong value in an entry is found at its bytes")
  func findsAtItsBytes() throws {
    let owner = try Self.read(Self.counted)
    for (x, isWrong) in [(-1, true), (0, false), (1_000, false), (1_001, true)] {
      let high = UInt8(truncatingIfNeeded: x >> 8)
      let bytes: [UInt8] = [1, 2, 0, 5, 0, 0, high, UInt8(truncatingIfNeeded: x), 0, 0, 9]
      var findings: [Finding] = []
      _ = MessageDecoder.decode(bytes.span.bytes, as: owner.dialects[0], findings: &findings)
      #expect(findings.map(\.range) == (isWrong ? [6..<8] : []), "\(x)")
    }
  }

  @Test("Entries of variable size are decoded", arguments: [0, 1, 3])
  func ownSizes(_ length: Int) throws {
    let owner = try Self.read(Self.labels)
    let text = [UInt8](repeating: 0x61, count: length)
    let bytes: [UInt8] = [1, 2, UInt8(length)] + text + [1, 1, 0x62, 2, 9]
    let (message, findings) = Self.decode(bytes, owner)
    #expect(findings == ["labels[1].side is 2; known: 1 left"])
    #expect(message?.value(of: "labels[0].text") == .text(String(repeating: "a", count: length)))
    #expect(message?.value(of: "labels[1].text") == .text("b"))
    #expect(message?.value(of: "end") == .unsigned(9))
  }

  @Test("Each shorter message is truncated", arguments: [counted, labels])
  func truncated(_ fields: String) throws {
    let owner = try Self.read(fields)
    let bytes: [UInt8] = [1, 2, 0, 5, 0, 0, 1, 0, 0, 0, 9]
    let right = fields == Self.counted ? bytes : [1, 2, 2, 0x61, 0x62, 1, 0, 1, 9]
    #expect(Self.decode(right, owner).1 == [])
    for count in 1..<right.count { #expect(Self.decode(Array(right[..<count]), owner).0 == nil, "\(count)") }
    #expect(Self.decode(right + [0], owner).1 == ["1 trailing byte after the message of \(right.count)"])
  }

  @Test("Entries up to the end are decoded; bytes after the last whole one are trailing")
  func toEnd() throws {
    let fields = "{name: tiles, repeat: tile}"
    for count in 0..<13 {
      let bytes = [1] + [UInt8](repeating: 0, count: count)
      let left = count % 4
      let words = left == 1 ? "1 trailing byte" : "\(left) trailing bytes"
      let (message, findings) = Self.decode(bytes, try Self.read(fields))
      #expect(findings == (left == 0 ? [] : ["\(words) after the message of \(1 + count - left)"]), "\(count)")
      #expect(message?.value(of: "tiles[\(count / 4)].x") == nil)
      if count >= 4 { #expect(message?.value(of: "tiles[\(count / 4 - 1)].x") == .signed(0)) }
      #expect((Self.decode(bytes, try Self.read(fields, exact: true)).0 == nil) == (left != 0), "\(count)")
    }
  }

  @Test("A count that no message can have needs no memory and does not trap")
  func lies() throws {
    for type in ["u8", "u16", "u32", "u64"] {
      for fields in [Self.counted, Self.labels] {
        let owner = try Self.read(fields.replacing("n, type: u8", with: "n, type: \(type)"))
        let bytes = [1] + [UInt8](repeating: 0xff, count: 40)
        #expect(Self.decode(bytes, owner).0 == nil, "\(type)")
      }
    }
  }

  // MARK: - Encoding

  @Test("A fixed number of entries gets its constants, and its smallest valid numbers")
  func fixedNumber() throws {
    let owner = try Self.read(
      "{name: pair, repeat: cell, times: 2}, {name: end, type: u8}",
      parts: "  cell: [{name: mark, type: u8, equals: 7}, {name: level, type: u8, range: [3, 9]}]")
    let kind = try #require(owner["ONE"])
    #expect(Message(empty: kind).bytes == [1, 7, 0, 7, 0, 0])
    #expect(Message.right(kind).bytes == [1, 7, 3, 7, 3, 0])
    #expect(
      Self.decode([1, 7, 3, 8, 10, 0], owner).1 == [
        "pair[1].mark is 8; it must be 7", "pair[1].level is 10; it must be in 3…9",
      ])
  }

  @Test("Entries that depend on a flag get their constants")
  func conditional() throws {
    let owner = try Self.read(
      "{name: flags, type: u8}, {name: pair, repeat: cell, times: 2, when: {field: flags, bits: 1}}, {name: end, type: u8}",
      parts: "  cell: [{name: mark, type: u8, equals: 7}, {name: level, type: u8}]")
    let kind = try #require(owner["ONE"])
    #expect(Message(empty: kind).bytes == [1, 0, 0])
    #expect(try Message(kind, fields: ["flags": .unsigned(1), "end": .unsigned(9)]).bytes == [1, 1, 7, 0, 7, 0, 9])
    #expect(Self.decode([1, 1, 7, 0, 7, 0, 9], owner).1 == [])
    #expect(Self.decode([1, 0, 9], owner).1 == [])
    let optional = try Self.read(
      "{name: flags, type: u8}, {name: pair, repeat: cell, times: 2, optional: true}, {name: end, type: u8, optional: true}",
      parts: "  cell: [{name: mark, type: u8, equals: 7}, {name: level, type: u8}]")
    let longer = try Message(try #require(optional["ONE"]), fields: ["end": .unsigned(9)])
    #expect(longer.bytes == [1, 0, 7, 0, 7, 0, 9])
  }

  @Test(
    "A generated message has as many entries as the range of its count requires",
    arguments: [
      (
        "{name: n, type: u8, range: [2, 9]}, {name: tiles, repeat: cell, times: n}, {name: end, type: u8, range: [4, 9]}",
        [1, 2, 7, 3, 7, 3, 4] as [UInt8]
      ),
      (
        "{name: n, type: u8, range: [1, 9]}, {name: names, repeat: name, times: n}, {name: end, type: u8, range: [4, 9]}",
        [1, 1, 0, 5, 4]
      ),
      (
        "{name: n, type: u8, range: [2, 9]}, {name: a, type: text in n}, {name: end, type: u8, range: [4, 9]}",
        [1, 2, 0x41, 0x41, 4]
      ),
      (
        "{name: n, type: u8, range: [2, 9]}, {name: a, type: bytes in n, words: 2, less: 1}, {name: end, type: u8}",
        [1, 2, 0, 0, 0, 0]
      ),
    ])
  func rightNumber(_ fields: String, _ bytes: [UInt8]) throws {
    let owner = try Self.read(
      fields,
      parts: """
          cell: [{name: mark, type: u8, equals: 7}, {name: level, type: u8, range: [3, 9]}]
          name: [{name: size, type: u8}, {name: text, type: text in size}, {name: side, type: u8, codes: {5: left}}]
        """)
    #expect(Message.right(try #require(owner["ONE"])).bytes == bytes)
    #expect(Self.decode(bytes, owner).1 == [])
  }

  @Test("Writing entries updates their count, and moves the fields after them")
  func counting() throws {
    let tiles = try #require(try Self.read(Self.counted)["ONE"])
    let message = try Message(tiles, fields: ["tiles": .bytes([0, 1, 0, 2, 0, 3, 0, 4]), "end": .unsigned(9)])
    #expect(message.bytes == [1, 2, 0, 1, 0, 2, 0, 3, 0, 4, 9])
    #expect(throws: WireError.self) { try Message(tiles, fields: ["tiles": .bytes([0, 1, 0])]) }
    let labels = try #require(try Self.read(Self.labels)["ONE"])
    let named = try Message(labels, fields: ["labels": .bytes([1, 0x61, 1, 0, 1]), "end": .unsigned(9)])
    #expect(named.bytes == [1, 2, 1, 0x61, 1, 0, 1, 9])
    #expect(throws: WireError.self) { try Message(labels, fields: ["labels": .bytes([1, 0x61])]) }
  }

  @Test("An entry is made from its fields, and missing fields get their smallest valid value")
  func entriesOfFields() throws {
    let kind = try #require(try Self.read(Self.labels)["ONE"])
    let labels = try #require(kind.layout["labels"]?.repeated)
    #expect(
      try labels.bytes(of: [["text": .text("ab")], [:], ["side": .unsigned(7)]]) == [2, 0x61, 0x62, 1, 0, 1, 0, 7])
    #expect(try labels.bytes(of: []) == [])
    #expect(throws: WireError.self) { try labels.bytes(of: [["colour": .unsigned(1)]]) }
    #expect(throws: WireError.self) { try labels.bytes(of: [["side": .unsigned(256)]]) }
  }

  @Test("Scenarios give entries as mappings, a list of lists for one message after the other, or bytes")
  func scenarios() throws {
    let owner = try Self.read(
      Self.counted,
      """
      session: {opens: with-any-message}
      streams: [{name: light, message: ONE, values: [end]}]
      """)
    let suites = Suites([.declared(by: owner)])
    func sent(_ with: String) throws -> [[UInt8]] {
      let text = """
        # The light.
        requirement: wall.light.latest-value-wins
        role: wall-host
        steps:
          - {at: 300ms, send: ONE, with: {\(with)}}
        """
      let scenario = try Scenario(text, path: "wall/light/latest-value-wins/own.yaml", file: "own.yaml", suites: suites)
      guard case .send(let messages, _) = scenario.steps.last?.work else { return [] }
      return messages
    }
    #expect(
      try sent("tiles: [{x: 1, hue: 2}, {level: 3}], end: 5") == [[1, 2, 0, 1, 0x20, 0, 0, 0, 0, 3, 5]])
    #expect(try sent("tiles: [], end: 5") == [[1, 0, 5]])
    #expect(try sent("tiles: [[{x: 1}], []], end: 5") == [[1, 1, 0, 1, 0, 0, 5], [1, 0, 5]])
    #expect(try sent("tiles: '00070000', end: 5") == [[1, 1, 0, 7, 0, 0, 5]])
    for (with, reason) in [
      ("tiles: [{y: 1}]", "an entry has no field \"y\"; it has x, hue, level"), ("tiles: [{hue: 16}]", "hue"),
      ("tiles: [{x: [1, 2]}]", "expected a number, or text, found a list"),
    ] {
      let error = #expect(throws: YAMLFileError.self) { try sent(with) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("Vectors name a field of an entry")
  func vectors() throws {
    let owner = try Self.read(Self.counted)
    let message = try #require(Self.decode([1, 1, 0, 5, 0, 7, 9], owner).0)
    #expect(message.kind.layout.row(at: "tiles[0].x")?.row.name == "x")
    #expect(message.kind.layout["tiles"]?.typeName == "tile[]")
    let pair = try #require(try Self.read("{name: pair, repeat: tile, times: 2}")["ONE"])
    #expect(pair.layout["pair"]?.typeName == "tile[2]")
  }

  @Test("Two tables of one name are an error", arguments: ["ONE_TILES", "One_Tiles"])
  func tables(_ name: String) throws {
    func read(_ field: String) throws -> WireProtocol {
      try ProtocolFile.read(
        """
        protocol: wall
        carriers: [{name: udp, over: udp, port: 7100}]
        header: [{name: kind, type: u8, is: type}]
        parts: {tile: [{name: x, type: u8}]}
        messages:
          - {name: ONE, type: 1, from: client, fields: [{name: \(field), repeat: tile}]}
          - {name: \(name), type: 2, from: client, fields: [{name: x, type: u8}]}
        """, file: "wall.yaml")
    }
    let error = #expect(throws: YAMLFileError.self) { try read("tiles") }
    #expect("\(error.map { "\($0)" } ?? "")".contains("would share the table wall_one_tiles"))
    _ = try read("tile")
  }

  // MARK: - What a file may say

  @Test(
    "Wrong uses of repeat are reported",
    arguments: [
      ("{name: a, repeat: nothing}", "there is no part \"nothing\""),
      ("{name: a, repeat: tile, times: 0}", "\"times\" is 1 to 16376 for entries of 4 bytes, found 0"),
      ("{name: a, repeat: tile, times: 16377}", "\"times\" is 1 to 16376"),
      ("{name: a, repeat: tile, times: n}", "there is no unsigned number \"n\" before \"a\""),
      ("{name: a, repeat: label, times: 2}", "the entries of \"label\" differ in size"),
      ("{name: a, repeat: tile, type: u8}", "\"type\" and \"repeat\" cannot be combined"),
      ("{name: a, type: u8, times: 2}", "\"times\" requires \"repeat\""),
      ("{name: n, type: u8}, {name: a, repeat: tile, times: n, less: 1}", "\"less\" is about bytes"),
      ("{name: a, repeat: tile, range: [0, 1]}", "\"range\" is for numbers"),
      ("{name: a, repeat: tile}, {name: b, type: u8}", "\"a\" before it takes the rest of the message"),
      ("{name: a, repeat: outer}", "\"repeat\" cannot be in a part that repeats"),
      ("{name: a, repeat: open}", "an entry of a part that repeats has to show its end"),
      ("{name: a, repeat: taken}", "cannot be called \"entry\""),
      ("{name: a, repeat: empty}", "has no field of a fixed size"),
      ("{name: a, repeat: half}", "ends within a byte"),
    ])
  func refusals(_ fields: String, _ reason: String) throws {
    let parts =
      Self.parts + """

          outer: [{name: inner, repeat: tile}]
          open: [{name: left, type: rest}]
          taken: [{name: entry, type: u8}]
          empty: [{name: flag, type: text to 0}]
          half: [{name: bit, type: bits 4}]
        """
    let error = #expect(throws: YAMLFileError.self) { try Self.read(fields, parts: parts) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error.map { "\($0)" } ?? "")")
  }
}
