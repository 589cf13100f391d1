import TelecapConformance
import TelecapProtocols
import Testing

/// Test vectors as text: blocks of a message, its bytes and its values.
@Suite("Files with test vectors") struct VectorFileTests {
  @Test("A block has a message, a transport, a source, bytes and values")
  func blocks() throws {
    let vectors = try VectorFile.read(
      """
      # A lamp.

      LEVEL over tcp
        source: lamp.example, page 3
        bytes: 01 02
        # Its second half.
        bytes: 0304

        level = 2
        name = "a = b"
      STATE
        source: built from page 4
        bytes: ff
      """, file: "lamp.txt")
    #expect(vectors.map(\.message) == ["LEVEL", "STATE"])
    #expect(vectors.map(\.carrier) == ["tcp", nil])
    #expect(vectors.map(\.bytes) == [[1, 2, 3, 4], [255]])
    #expect(vectors.map(\.source) == ["lamp.example, page 3", "built from page 4"])
    #expect(vectors.map(\.line) == [3, 11])
    #expect(vectors[0].expectations.map(\.field) == ["level", "name"])
    #expect(vectors[0].expectations.map(\.value) == ["2", "\"a = b\""])
    #expect(vectors[0].expectations.map(\.line) == [9, 10])
  }

  @Test("Empty text and comments contain no vectors", arguments: ["", "\n\n", "# a\n  # b\n"])
  func empty(_ text: String) throws { #expect(try VectorFile.read(text, file: "a.txt").isEmpty) }

  @Test(
    "An error names its line and column",
    arguments: [
      ("  bytes: 01", "a.txt:1:3: a message's name, at the beginning of a line, comes first"),
      (
        "A by udp\n",
        "a.txt:1:1: a block begins with the name of a message, and \"over\" with a transport, found \"A by udp\""
      ),
      ("A\n  bytes: 0", "a.txt:2:3: \"bytes:\" has pairs of hexadecimal digits, found \"0\""),
      ("A\n  bytes: 0g", "a.txt:2:3: \"bytes:\" has pairs of hexadecimal digits, found \"0g\""),
      ("A\n  source: x", "a.txt:1:1: A has no \"bytes:\""),
      ("A\n  bytes: 01\nB", "a.txt:1:1: A has no \"source:\": write who published its bytes"),
      ("A\n  source: x\n  source: y", "a.txt:3:3: a second \"source:\" of this message"),
      ("A\n    level", "a.txt:2:5: write \"source: …\", \"bytes: …\" or \"field = value\", found \"level\""),
      ("A\n  = 1", "a.txt:2:3: a field is before \"=\", found \"= 1\""),
      ("A\n  a = 1\n  a = 2", "a.txt:3:3: a second value of \"a\" in this message"),
    ])
  func mistakes(_ text: String, _ message: String) {
    let error = #expect(throws: YAMLFileError.self) { try VectorFile.read(text, file: "a.txt") }
    #expect(error.map { "\($0)" } == message)
  }
}
