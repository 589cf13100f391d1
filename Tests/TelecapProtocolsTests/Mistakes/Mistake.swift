import TelecapConformance
import TelecapProtocols
import Testing

/// A mistake that a person makes in a first protocol file: one part of a right file, what is written in its place, and the error.
struct Mistake: Sendable, CustomTestStringConvertible {
  let right: String
  let wrong: String
  let line: Int
  let column: Int
  /// What the error says, among other words.
  let words: [String]

  init(_ right: String, _ wrong: String, _ line: Int, _ column: Int, _ words: String...) {
    (self.right, self.wrong, self.line, self.column, self.words) = (right, wrong, line, column, words)
  }

  init(_ right: String, _ wrong: String, _ line: Int, _ column: Int, all words: [String]) {
    (self.right, self.wrong, self.line, self.column, self.words) = (right, wrong, line, column, words)
  }

  /// A whole file in place of the right one.
  init(file: String, _ line: Int, _ column: Int, _ words: String...) {
    (right, wrong) = (Mistake.file, file)
    (self.line, self.column, self.words) = (line, column, words)
  }

  var testDescription: String { wrong == "" ? "without \(right)" : String(wrong.prefix(60)) }

  /// A file that is right and has what a first protocol file has.
  static let file = """
    protocol: lamp
    title: a lamp
    byte-order: little
    carriers:
      - name: udp
        over: udp
        port: 7000
    header:
      - {name: magic, type: text 2, equals: LP, is: identity}
      - {name: kind, type: u8, is: type}
    messages:
      - name: HELLO
        type: 1
        from: client
        fields:
          - {name: id, type: u32}
      - name: WELCOME
        type: 2
        from: host
        fields:
          - {name: granted, type: u32}
          - {name: status, type: u8, codes: {0: OK, 1: BUSY}}
      - name: LEVEL
        type: 3
        from: client
        fields:
          - name: number
            type: u16
          - name: level
            type: f32
            range: [0, 1]
          - {name: flags, type: u8, bits: 0x3}
          - {name: pan, type: i16, scale: 0.01, unit: deg}
          - {name: crc, type: u16, check: crc16-x25}
          - {name: size, type: u8}
          - {name: label, type: text in size}
    session:
      asked-by: HELLO
      answered-by: [WELCOME]
      timeout: 5s
    streams:
      - name: light
        message: LEVEL
        order: number
        values: [level]
        silence: 500ms

    """

  /// The file with the mistake.
  var text: String { Mistake.file.replacing(right, with: wrong) }

  /// Holds the error of the file to its place and its words.
  func check() throws {
    // A row that changes nothing, or two places, would test something else than it says.
    #expect(Mistake.file.ranges(of: right).count == 1, "\(right)")
    let error = try #require(throws: YAMLFileError.self) { try ProtocolFile.read(text, file: "lamp.yaml") }
    #expect("\(error.line):\(error.column)" == "\(line):\(column)", "\(error)")
    for word in words { #expect(error.problem.contains(word), "\(error)") }
  }
}

@Suite("Mistakes in a first protocol file") struct MistakeTests {
  static let all: [Mistake] = [
    YAMLMistakes.rows, TypeMistakes.rows, FieldMistakes.rows, MessageMistakes.rows, StreamMistakes.rows,
  ].flatMap(\.self)

  @Test("The file without a mistake is right")
  func right() throws { _ = try ProtocolFile.read(Mistake.file, file: "lamp.yaml") }

  @Test("Each is reported once, at the place that has to change, with what to write", arguments: MistakeTests.all)
  func mistakes(_ mistake: Mistake) throws { try mistake.check() }

  @Test("A name that several codes have is ambiguous, and is fine where nothing uses it")
  func ambiguousCode() throws {
    let codes = Mistake.file.replacing("codes: {0: OK, 1: BUSY}", with: "codes: {0: OK, 1: later, 2: later}")
    func session(busy: String) -> String {
      codes.replacing("timeout: 5s", with: "timeout: 5s\n  accepts: {status: OK}\n  rejects: {busy: \(busy)}")
    }
    _ = try ProtocolFile.read(codes, file: "lamp.yaml")
    _ = try ProtocolFile.read(session(busy: "2"), file: "lamp.yaml")
    let error = try #require(throws: YAMLFileError.self) {
      try ProtocolFile.read(session(busy: "later"), file: "lamp.yaml")
    }
    #expect(error.line == 42 && error.problem == "\"later\" is the name of 1 and 2 in \"status\": write the number")
  }

  @Test("There are more than sixty, and each is another")
  func count() {
    #expect(MistakeTests.all.count > 60)
    #expect(Set(MistakeTests.all.map(\.text)).count == MistakeTests.all.count)
    #expect(MistakeTests.all.allSatisfy { !$0.words.isEmpty })
  }
}
