import TelecapConformance
import TelecapProtocols
import TelecapWire
import Testing

/// Whether a declaration agrees with messages of others.
@Suite("A declaration is checked by test vectors") struct VectorCheckTests {
  private static let lamp = """
    protocol: lamp
    carriers:
      - {name: udp, over: udp, port: 7000}
    header:
      - {name: magic, type: text 2, equals: LP, is: identity}
      - {name: kind, type: u8, is: type}
    messages:
      - name: LEVEL
        type: 1
        from: client
        fields:
          - {name: level, type: f32}
          - {name: angle, type: i16, scale: 0.01}
          - {name: count, type: i8}
          - {name: sum, type: u8, check: xor}
      - name: NAME
        type: 2
        from: host
        fields:
          - {name: id, type: bytes 2}
          - {name: size, type: u8}
          - {name: text, type: text in size}
      - {name: PING, type: 3, from: client}
    """

  private func check(_ vectors: String) throws -> VectorCheck {
    let owner = try ProtocolFile.read(Self.lamp, file: "lamp.yaml")
    return try VectorCheck(VectorFile.read(vectors, file: "lamp.txt"), of: owner, file: "lamp.txt")
  }

  private static let level = """
    LEVEL
      source: by hand
      bytes: 4c50 01 0000003f 9cff fe bf
      level = 0.5
      angle = -1
      count = -2

    """
  private static let name = """
    NAME
      source: by hand
      bytes: 4c50 02 a1b2 02 6162
      id = a1 b2
      size = 0x2
      text = "ab"

    """

  @Test("Right vectors pass, and a message without a vector is named")
  func right() throws {
    let check = try check(Self.level + Self.name)
    #expect(check.count == 2 && check.right == 2 && check.problems.isEmpty, "\(check.problems)")
    #expect(check.gaps.map(\.message) == ["PING"] && check.gaps[0].fields.isEmpty)
  }

  @Test("Fields without a value are named, except constant and computed ones")
  func gaps() throws {
    let vectors = "LEVEL\n  source: a\n  bytes: 4c50010000003f9cfffebf\n  level = 0.5\n"
    let gap = try check(vectors).gaps[0]
    #expect(gap.message == "LEVEL" && gap.fields == ["angle", "count"])
  }

  @Test(
    "A wrong value is a problem at its line",
    arguments: [
      ("level = 0.5", "level = 0.25", 4, "level: expected 0.25, observed 0.5"),
      ("level = 0.5", "level = nan", 4, "level: expected nan, observed 0.5"),
      ("level = 0.5", "level = none", 4, "level: expected none, observed 0.5"),
      ("angle = -1", "angle = -1.01", 5, "angle: expected -1.01, observed -1.0"),
      ("count = -2", "count = 2", 6, "count: expected 2, observed -2"),
      ("fe bf", "fe be", 1, "expected LEVEL, observed"),
      ("4c50 01", "4c50 03", 1, "expected LEVEL, observed PING"),
      ("4c50 01", "4c51 01", 1, "expected LEVEL, observed"),
    ])
  func wrong(_ old: String, _ new: String, _ line: Int, _ reason: String) throws {
    let check = try check(Self.level.replacing(old, with: new))
    #expect(check.right == 0 && check.problems.first?.line == line, "\(check.problems)")
    #expect(check.problems.first?.reason.hasPrefix(reason) == true, "\(check.problems)")
  }

  @Test("Text and bytes may be empty")
  func empty() throws {
    let vectors = "NAME\n  source: by hand\n  bytes: 4c50 02 a1b2 00\n  id = a1b2\n  size = 0\n  text ="
    #expect(try check(vectors).right == 1)
    #expect(try check(vectors.replacing("text =", with: "text = \"\"")).right == 1)
    #expect(try check(vectors.replacing("id = a1b2", with: "id =")).right == 0)
  }

  @Test("Bytes after a message cannot be encoded again, which is a problem")
  func trailing() throws {
    let check = try check(Self.name.replacing("6162", with: "616200"))
    #expect(check.problems.map(\.line) == [1] && check.problems[0].reason.contains("differ from byte 8 on"))
  }

  @Test(
    "A scaled value may be rounded, but not to another raw number",
    arguments: [("-0.996", true), ("-0.994", false)])
  func rounded(_ value: String, _ isRight: Bool) throws {
    let check = try check(Self.level.replacing("angle = -1", with: "angle = \(value)"))
    #expect((check.right == 1) == isRight)
  }

  @Test(
    "Names that the declaration does not have are errors at their lines",
    arguments: [
      ("LEVEL\n", "LEVLE\n", "lamp.txt:1:1: there is no message \"LEVLE\"; did you mean LEVEL?"),
      ("LEVEL\n", "LEVEL over tcp\n", "lamp.txt:1:1: there is no transport of LEVEL \"tcp\"; "),
      ("count = -2", "cuont = -2", "lamp.txt:6:1: there is no field of LEVEL \"cuont\"; did you mean count?"),
      ("count = -2", "count = two", "lamp.txt:6:1: \"count\" is int8, which cannot hold \"two\""),
      ("count = -2", "count =", "lamp.txt:6:1: \"count\" is int8, which cannot hold \"\""),
    ])
  func unknown(_ old: String, _ new: String, _ message: String) {
    let error = #expect(throws: YAMLFileError.self) { try check(Self.level.replacing(old, with: new)) }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }
}
