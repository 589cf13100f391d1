import TelecapConformance
import TelecapProtocols
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// Names, titles and other texts for people in a protocol file: each place that takes one, with each hostile text.
@Suite("Texts of a protocol file") struct HostileNamesTests {
  /// A file that says everything that a file can say in words. `@` stands for a text, in YAML.
  private static let texts = [
    "title": "title: @", "source": "source: @", "unit of a field": "unit: @", "meaning of a field": "meaning: @",
    "name of a code": "codes: {0: @}", "meaning of a message": "meaning: @", "source of a message": "source: @",
  ]

  /// The file with these texts.
  static func file(_ text: (String) -> String) -> String {
    func value(_ place: String) -> String { Escaping.yamlQuoted(text(place)) }
    return """
      protocol: toy
      title: \(value("title"))
      source: \(value("source"))
      carriers: [{name: udp, over: udp, port: 4000}]
      header: [{name: kind, type: u8, is: type, unit: \(value("unit of a field")), meaning: \(value("meaning of a field"))}]
      messages:
        - name: A
          type: 1
          from: client
          meaning: \(value("meaning of a message"))
          source: \(value("source of a message"))
          fields: [{name: x, type: u8, codes: {0: \(value("name of a code"))}}, {name: y, type: f32}]
      streams: [{name: level, message: A, values: [y], range: [0, 1]}]
      """
  }

  @Test(
    "A control character is an error with its line and column, in every text for people",
    arguments: HostileText.controls)
  func controls(_ text: String) throws {
    for place in Self.texts.keys.sorted() {
      let yaml = Self.file { $0 == place ? text : "plain" }
      let error = try #require(throws: YAMLFileError.self) { try ProtocolFile.read(yaml, file: "toy.yaml") }
      let number = try #require(text.unicodeScalars.first { !$0.isPlain }).number
      #expect(
        error.problem.contains("contains the control character U+\(number); write it as one line"), "\(place): \(error)"
      )
      let line = try #require(Array(yaml.lines)[error.line - 1..<error.line].first)
      #expect(line.dropFirst(error.column - 1).hasPrefix(Escaping.yamlQuoted(text)), "\(place): \(error)")
      #expect(error.description.unicodeScalars.allSatisfy { $0.isPlain })
    }
  }

  @Test("A text without control characters is kept unchanged", arguments: HostileText.visible)
  func visible(_ text: String) throws {
    let owner = try ProtocolFile.read(Self.file { _ in text }, file: "toy.yaml")
    let message = try #require(owner["A"]?.layout)
    let said = [owner.title, message.fields[0].unit, message.fields[0].meaning, message.meaning, message.source]
    #expect(said.allSatisfy { Array($0.utf8) == Array(text.utf8) })
  }

  /// The shape is walked, so that a key that is added takes no control character either, unless it says so.
  @Test("Every key of a protocol file checks its text, except for constant values of fields")
  func everyKey() {
    func open(_ shape: YAMLShape, _ path: String, _ depth: Int = 0) -> [String] {
      shape.keys.flatMap { key in open(key.type, "\(path).\(key.name)", depth) }
    }
    func open(_ type: YAMLType, _ path: String, _ depth: Int) -> [String] {
      switch type {
      case .text: [path]
      case .list(let element), .dictionary(let element): open(element, path, depth)
      case .either(let types): types.flatMap { open($0, path, depth) }
      case .mapping(let shape): depth < 4 ? open(shape, path, depth + 1) : []
      default: []
      }
    }
    #expect(
      Set(open(ProtocolShape.file, "")) == [
        ".header.equals", ".parts.equals", ".messages.with", ".messages.fields.equals",
      ])
  }

  @Test("A letter with a combining mark is no letter of a name")
  func combiningMarks() {
    #expect(
      Toy.error(3, "  - {name: \"u\u{30d}dp\", over: udp, port: 4000}")?.hasPrefix("3:12: a carrier's name is") == true)
    #expect(Toy.error(14, Toy.ask("{name: \"x1\u{30d}\", type: u8}"))?.hasPrefix("14:79: a field's name is") == true)
  }

  @Test(
    "The error for a type of another language names what to write",
    arguments: [
      ("u48", "write \"bits 48\""),
      ("int48", "whole numbers have 8, 16, 24, 32 or 64 bits: write \"bytes 6\" for these"),
      ("int128", "whole numbers have 8, 16, 24, 32 or 64 bits: write \"bytes 16\" for these"),
      ("uint24", "write \"u24\""), ("uint8", "write \"u8\""), ("uint8_t", "write \"u8\""), ("INT16", "write \"i16\""),
      ("short", "write \"i16\""),
      ("double", "write \"f64\""), ("float32", "write \"f32\""), ("float", "write \"f32\""),
      ("uint64_t", "write \"u64\""),
      ("f16", "floats have 32 or 64 bits: write \"u16\" for the bits of one of 16"),
      ("string 4", "write \"text 4\""),
      ("string", "write \"text N\" with its bytes, or \"text in FIELD\" with the field that counts them"),
      ("bool", "write \"u8\" with \"codes: {0: no, 1: yes}\", or with \"bits\" for flags"),
      ("u16be", "write \"u16\", and \"byte-order: big\" next to it, or at the top of the file for all its numbers"),
      (
        "float_le",
        "write \"f32\", and \"byte-order: little\" next to it, or at the top of the file for all its numbers"
      ),
      ("varint", "whole numbers have a fixed size: u8, u16, u24, u32 or u64"),
      // No multiple of 8 bits, and too many: nothing is known of these.
      ("u12", "write \"bits 12\""),
      (
        "tuple",
        "there are u8, u16, u24, u32, u64, i8, i16, i24, i32, i64, f32, f64, bits N, text N, text to 0, text to ';', decimal to ';', decimal to end, bytes N, rest"
      ),
      ("u6", "write \"bits 6\""),
    ])
  func foreignTypes(_ type: String, _ advice: String) {
    #expect(Toy.error(14, Toy.ask("{name: z, type: \(type)}")) == "14:88: there is no type \"\(type)\"; \(advice)")
  }

  @Test("The error for a comma within braces asks for quotes")
  func commas() {
    #expect(
      Toy.error(14, Toy.ask("{name: z, type: u8, meaning: up, down}"))
        == "14:105: a comma within braces ends the text before it; put the text in quotes: meaning: 'up, down'")
    #expect(
      Toy.error(14, Toy.ask("{name: z, type: u8, codes: {0: off, or idle, 1: on}}"))
        == "14:108: a comma within braces ends the text before it; put the text in quotes: 0: 'off, or idle'")
    // A key with a value, one after a text in quotes, and one on a line of its own are unknown keys.
    let block = """
        - name: ASK
          type: 1
          from: client
          fields:
            - name: z
              type: u8
              meaning: up
              mening:
      """
    #expect(Toy.error(14, block)?.contains("unknown key \"mening\"") == true, "\(Toy.error(14, block) ?? "no error")")
    #expect(Toy.error(14, Toy.ask("{name: z, type: u8, down: 1}"))?.contains("unknown key \"down\"") == true)
    #expect(
      Toy.error(14, Toy.ask("{name: z, type: u8, meaning: 'up', down}"))?.contains("unknown key \"down\"") == true)
  }
}
