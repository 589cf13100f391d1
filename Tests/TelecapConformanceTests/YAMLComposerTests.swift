import Testing

@testable import TelecapConformance

/// The composer's values from the events of libyaml.
@Suite struct YAMLComposerTests {
  @Test(
    "Each value has its position, and is plain (a) or quoted (\"a\")",
    arguments: [
      ("a", "1:1 a"), ("'a'", "1:1 \"a\""), ("\"a\\n\\0b\"", "1:1 \"a\\n\\0b\""), ("--- a\n...\n", "1:5 a"),
      ("---", "2:1 "),
      ("[a, 'b', [c], {}]", "1:1 [1:2 a, 1:5 \"b\", 1:10 [1:11 c], 1:15 {}]"),
      ("- a\n-\n- - b\n", "1:1 [1:3 a, 2:2 , 3:3 [3:5 b]]"),
      ("b: 1\na: {c: '2'}\n", "1:1 {1:1 b: 1:4 1, 2:1 a: 2:4 {2:5 c: 2:8 \"2\"}}"),
      // Blocks are plain.
      ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", "1:1 {1:1 a: 1:4 x\\ny\\n, 4:1 b: 4:4 x y}"),
      ("? a\n: b", "1:1 {1:3 a: 2:3 b}"), ("{a, b: , c}", "1:1 {1:2 a: 1:3 , 1:5 b: 1:8 , 1:10 c: 1:11 }"),
      // Tags in printed YAML have no effect, and a merge is a key like any other.
      ("!!int a: !b {<<: c}", "1:1 {1:1 a: 1:10 {1:14 <<: 1:18 c}}"),
      // Columns count scalars; lines end as YAML says.
      ("日: {x: \"😀\", y: 2}\r\né: \t3", "1:1 {1:1 日: 1:4 {1:5 x: 1:8 \"😀\", 1:13 y: 1:16 2}, 2:1 é: 2:5 3}"),
      // A mark of the byte order is a character of its line.
      ("\u{feff}a: 1", "1:2 {1:2 a: 1:5 1}"),
      // An alias keeps the position of its value; a name means the last anchor with it.
      ("a: &x 1\nb: *x", "1:1 {1:1 a: 1:4 1, 2:1 b: 1:4 1}"),
      ("- &x [1]\n- &y {k: *x}\n- *y", "1:1 [1:3 [1:7 1], 2:3 {2:7 k: 1:3 [1:7 1]}, 2:3 {2:7 k: 1:3 [1:7 1]}]"),
      ("- &x 1\n- *x\n- &x 2\n- *x", "1:1 [1:3 1, 1:3 1, 3:3 2, 3:3 2]"), ("&x a: *x\n*x : 2", "!"),
      ("&x a: 1\nb: {*x : 2}", "1:1 {1:1 a: 1:7 1, 2:1 b: 2:4 {1:1 a: 2:10 2}}"),
    ])
  func values(_ text: String, _ expected: String) throws {
    guard expected != "!" else { return #expect(Self.problem(text) == Self.twice) }
    let found = Self.words(try Self.value(text, allowsTags: true))
    #expect(found == expected)
  }

  @Test(
    "An error names its line and column",
    arguments: [
      ("", "1:1: the file is empty"), ("# nothing\n", "1:1: the file is empty"), ("\u{feff}", "1:1: the file is empty"),
      ("--- a\n--- b", "2:1: a file is one document: remove \"---\""),
      ("a: 1\n...\nb: 2", "3:1: a file is one document, which ended before this: remove \"...\""),
      ("a: !b c", "1:4: the tag !b has no effect: remove it; if it is text, write '!b c'"),
      ("!m {a: !!seq [1]}", "1:1: the tag !m has no effect: remove it"),
      ("- a\n- !!str '1'", "2:3: the tag !!str has no effect: remove it"),
      ("a: 1\nb: 2\na: 3", "3:1: the key \"a\" is there already, at line 1, column 1: remove one"),
      (
        "x: {b: 1, a: 1, b: 2, 'a': 2}", "1:17: the key \"b\" is there already, at line 1, column 5: remove one"
      ),
      ("- *x", "1:3: \(YAMLComposerTests.noAnchor)"), ("- *x\n- &x 1", "1:3: \(YAMLComposerTests.noAnchor)"),
      ("&x [*x]", "1:5: \(YAMLComposerTests.noAnchor)"), ("a: &x {b: [1, *x]}", "1:15: \(YAMLComposerTests.noAnchor)"),
      // The name stands for nothing in what has it now, whatever had it before.
      ("- &x 1\n- &x [*x]", "2:7: \(YAMLComposerTests.noAnchor)"),
      ("a: [", "2:1: the file ends within brackets or braces: close them"),
      ("a: b: c", "1:4: a text with a colon and a space is in quotes: write \"a: 'b: c'\""),
      ("a:\n\tb: 1", "2:1: a tab indents this line: write spaces, as YAML is indented by these only"),
      ("a: 'x", "1:4: the text that begins here with ' has no ' at its end"),
      ("@a", "1:1: a text cannot begin with \"@\": put it in quotes"),
      ("a: \u{0}", "1:4: the file contains the control character U+0000: where it is UTF-16, save it as UTF-8"),
      ("é: 1\r\nb: \u{7}", "2:4: the file contains the control character U+0007: remove it"),
      ("a: \u{fffe}", "1:4: the file contains the control character U+FFFE: remove it"),
      ("? [a]\n: 1", "1:3: a key that is a list or a mapping; write it out as a word"),
      ("- &x {}\n- {*x : 1}", "2:4: a key that is a list or a mapping; write it out as a word"),
    ])
  func problems(_ text: String, _ expected: String) { #expect(Self.problem(text) == expected) }

  @Test("Bytes that are not UTF-8 become U+FFFD in text")
  func invalidBytes() throws {
    let text = String(decoding: [0x61, 0x3a, 0x20, 0xff, 0xc3], as: UTF8.self)
    #expect(Self.words(try Self.value(text)) == "1:1 {1:1 a: 1:4 \u{fffd}\u{fffd}}")
  }

  @Test("A thousand nested levels are read, and 100,000 are an error", .timeLimit(.minutes(5)))
  func nesting() throws {
    func nested(_ begin: String, _ end: String, _ count: Int) -> String {
      String(repeating: begin, count: count) + String(repeating: end, count: count)
    }
    _ = try Self.value(nested("[", "]", 999))
    _ = try Self.value(nested("{a: ", "}", 999))
    for text in [
      nested("[", "]", 100_000), nested("{a: ", "}", 100_000), nested("- ", "", 100_000), nested("[", "", 100_000),
    ] {
      #expect(Self.problem(text)?.hasSuffix(": nested too deep") == true)
    }
  }

  @Test("Each alias counts like its whole value, and is not copied")
  func bounds() {
    let room = YAMLComposer.Room(values: 10, bytes: 20)
    func problem(_ text: String) -> String? { Self.problem(text, room) }
    #expect(problem("[1, 2, 3, 4, 5, 6, 7, 8, 9]") == nil)
    #expect(problem("[1, 2, 3, 4, 5, 6, 7, 8, 9,\n 10]") == "2:2: the file contains more than 10 values")
    #expect(problem("- &x [a, b]\n- *x\n- *x") == nil)
    #expect(problem("- &x [a, b]\n- *x\n- *x\n- *x") == "4:3: the file contains more than 10 values")
    #expect(problem("- &x abcdefghij\n- *x") == nil)
    #expect(
      problem("- &x abcdefghij\n- *x\n- y")
        == "3:3: with its aliases written out the file contains more than 20 bytes of text")
  }

  @Test("Each prefix of a file is a value or an error with a position")
  func beginnings() {
    let text = """
      %YAML 1.1
      ---
      # every kind of thing
      a: &x [1, 'two', "th\\u0072ee\\
        x", {four: 4, 'five': [~]}]
      "b" : |2-
          kept

        line
      ? c
      : >+
        folded
        text

      d: {e: *x, f: 'it''s', "g": , ? h : i}
      *y : 日本語 # a key that nothing stands for
      ...
      """
    #expect(
      Self.problem(text)
        == "16:1: there is no anchor \"&y\" before it; a text that begins with * is in quotes: '*y'")
    let scalars = Array(text.unicodeScalars)
    for count in scalars.indices {
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: scalars[..<count])
      do {
        _ = try Self.value(String(beginning))
      } catch {
        #expect(error.line > 0 && error.column > 0 && !error.problem.isEmpty)
      }
    }
  }

  // MARK: - Words

  private static let noAnchor = "there is no anchor \"&x\" before it; a text that begins with * is in quotes: '*x'"
  private static let twice = "1:1: the key \"a\" is there already, at line 1, column 1: remove one"

  private static let most = YAMLComposer.Room(values: 200_000, bytes: 16 << 20)

  private static func value(
    _ text: String, _ most: YAMLComposer.Room = most, allowsTags: Bool = false
  ) throws(YAMLFileError) -> YAMLValue {
    try YAMLComposer.compose(text, file: "f", most: most, allowsTags: allowsTags)
  }

  private static func problem(_ text: String, _ most: YAMLComposer.Room = most) -> String? {
    do {
      _ = try value(text, most)
      return nil
    } catch {
      return "\(error.line):\(error.column): \(error.problem)"
    }
  }

  private static func words(_ value: YAMLValue) -> String {
    let content: String =
      switch value.content {
      case .scalar(let text, let isQuoted): isQuoted ? "\"\(escaped(text))\"" : escaped(text)
      case .list(let list): "[\(list.map(words).joined(separator: ", "))]"
      case .mapping(let pairs):
        "{\(pairs.map { "\(words($0.key)): \(words($0.value))" }.joined(separator: ", "))}"
      }
    return "\(value.line):\(value.column) \(content)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\n", with: "\\n").replacing("\0", with: "\\0")
  }
}
