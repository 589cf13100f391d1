import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapText
import Testing

/// The lines of a program that are read as one.
@Suite("The formats of a program's events")
struct LineFormatTests {
  /// The lines after joining, read at 1, 2, 3 ns and so on.
  private func read(_ lines: [String], as format: LineFormat) -> [String] {
    format.read(lines.enumerated().map { SeenLine($0.element, at: Int64($0.offset + 1)) }).map {
      "\($0.time) \($0.text)"
    }
  }

  @Test(
    "An object over several lines is joined into one, and all other lines stay",
    arguments: [
      (["{", "  \"a\": [", "    1,", "    2", "  ]", "}", "text"], ["6 { \"a\": [ 1, 2 ] }", "7 text"]),
      (["{\"a\": 1}", "{\"b\": {", "\"c\": 2}}"], ["1 {\"a\": 1}", "3 {\"b\": { \"c\": 2}}"]),
      // Brackets in strings, and a quote in one.
      (["{", "\"a\": \"}\\\"{ [\"", "}", "b"], ["3 { \"a\": \"}\\\"{ [\" }", "4 b"]),
      // Two on a line, the second of which goes on.
      (["{\"a\": 1} {", "\"b\": 2", "}"], ["3 {\"a\": 1} { \"b\": 2 }"]),
      (["[", "  {\"a\": 1},", "  {\"a\": 2}", "]"], ["4 [ {\"a\": 1}, {\"a\": 2} ]"]),
      // Text in brackets and braces is text.
      (["[12:00:01 up", "{ready", "x"], ["1 [12:00:01 up", "2 {ready", "3 x"]),
      // A line of another thread in between is a line of its own.
      (["{", "  \"a\": 1,", "INFO still here", "  \"b\": 2", "}"], ["3 INFO still here", "5 { \"a\": 1, \"b\": 2 }"]),
      // An object that is broken off ends where it cannot go on.
      (["{", "  \"a\": 1", "{", "  \"b\": 2", "}"], ["2 { \"a\": 1", "5 { \"b\": 2 }"]),
      // Python's.
      (["{'a': 'it{',", " 'b': None}"], ["2 {'a': 'it{', 'b': None}"]),
      (["{", "", "}"], ["3 {  }"]),
    ] as [([String], [String])])
  func joined(_ lines: [String], _ whole: [String]) { #expect(read(lines, as: .jsonBlocks) == whole) }

  @Test("An object that never ends is passed on at a limit and noted, and the lines after it are read")
  func bounds() throws {
    let keys: [String] = (0..<LineJoiner.mostLines).map { "\"k\($0)\": 1," }
    let many: [String] = ["{"] + keys + ["text", "{\"b\": 2}"]
    let lines = read(many, as: .jsonBlocks)
    #expect(lines.first?.hasPrefix("\(LineJoiner.mostLines) {") == true && lines.last?.hasSuffix(" {\"b\": 2}") == true)
    let long: [String] = ["{", "\"a\": \"" + String(repeating: "x", count: LineJoiner.mostBytes), "{\"b\": 2}"]
    let cut = read(long, as: .jsonBlocks)
    #expect(cut.count == 2 && cut[1] == "3 {\"b\": 2}" && cut[0].utf8.count == LineJoiner.mostBytes + 2)
    // Both are noted as lines that begin like an object and are none.
    let file = try system("format: json-blocks")
    var observations = EventDecoder(rules: file.rules, peers: PeerAddresses(), nil, file: "a.yaml")
    for line in lines + cut { _ = observations.events(printed: line.drop { $0 != "{" }.utf8) }
    let notices = observations.mapping.notices.joined(separator: "\n")
    #expect(notices.contains("begins like a JSON object and is none"), "\(notices)")
    #expect(notices.contains("is longer than 64 KiB and was cut"), "\(notices)")
  }

  @Test(
    "A block of YAML between lines of --- is an object",
    arguments: [
      (
        ["host is up", "a: 1", "b:", "  c: [0.5, .nan]", "---"],
        ["1 host is up", "4 {\"a\": 1, \"b\": {\"c\": [0.5, \"nan\"]}}"]
      ),
      (["---", "a: True", "---", "a: 'yes'"], ["2 {\"a\": true}", "4 {\"a\": \"yes\"}"]),
      (["a: ''", "b: 007", "c: -1e-05", "---", "---"], ["3 {\"a\": \"\", \"b\": \"007\", \"c\": -1e-05}"]),
      (["just text", "and more", "---"], ["1 just text", "2 and more"]),
      (["a: [", "---"], ["1 a: ["]),
    ] as [([String], [String])])
  func yaml(_ lines: [String], _ whole: [String]) { #expect(read(lines, as: .yamlBlocks) == whole) }

  @Test("Nested aliases in a program's output do not fill the memory")
  func aliases() {
    var lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    for level in 1..<8 {
      let list = Array(repeating: "*a\(level - 1)", count: 8).joined(separator: ", ")
      lines.append("a\(level): &a\(level) [\(list)]")
    }
    #expect(read(lines + ["---"], as: .yamlBlocks).count == lines.count)
  }

  @Test(
    "An object after text is read without the text",
    arguments: [
      ("Nov 25 02:00:01 robot hostd[7]: {\"a\": 1}", "{\"a\": 1}"), ("[x] {\"a\": 1} in 3 ms", "{\"a\": 1}"),
      ("INFO {not this} {\"a\": {\"b\": 2}}", "{\"a\": {\"b\": 2}}"), ("{\"a\": 1}", "{\"a\": 1}"),
      ("moved to {1, 2}", "moved to {1, 2}"), ("INFO:root:{'a': None}", "{'a': None}"),
    ])
  func behindText(_ line: String, _ object: String) { #expect(read([line], as: .jsonBehindText) == ["1 \(object)"]) }

  @Test(
    "Python's printed values are read",
    arguments: [
      ("{'a': 1, 'b': True, 'c': None}", #"{"a": 1, "b": true, "c": null}"#),
      ("{'at': (0.5, -1e-05, nan), \"it's\": 'x\\'y\\x41'}", #"{"at": [0.5, -1e-05, NaN], "it's": "x'yA"}"#),
      ("{'x': np.float64(0.5), 'q': array([1, 2]), 3: {1, 2}}", #"{"x": 0.5, "q": [1, 2], "3": [1, 2]}"#),
      ("['arm', {'x': 1}]", #"{"x": 1}"#), ("{'a': b'raw'}", #"{"a": "raw"}"#),
    ])
  func python(_ line: String, _ object: String) {
    #expect(JSONNode.objects(printed: line.utf8).map(\.onOneLine) == [object])
  }

  @Test(
    "Text that only looks like Python's values is not read",
    arguments: ["{'a': <Pose at 0x7f>}", "{'a'", "{'a': 1} moved", "{'a': }", "['INFO'] x", "{'a': '\\xzz'}"])
  func notPython(_ line: String) { #expect(JSONNode.objects(printed: line.utf8).isEmpty) }

  @Test("Python's values may be nested 64 levels deep", arguments: [(63, true), (64, false)])
  func depth(_ depth: Int, _ isRead: Bool) {
    let line = String(repeating: "{'a': ", count: depth) + "1" + String(repeating: "}", count: depth)
    #expect(JSONNode.objects(printed: line.utf8).isEmpty != isRead)
  }

  @Test("Endlessly nested values are rejected, and do not fill the stack")
  func deep() {
    let line = String(repeating: "{'a': ", count: 5_000)
    #expect(JSONNode.objects(printed: line.utf8).isEmpty)
  }

  // MARK: - In a system file

  private func system(_ shows: String) throws -> SystemFile {
    try SystemFile(
      """
      role: host
      command: [a]
      addresses: {udp: free}
      shows:
        \(shows)
        events: [{is: pose}]
      """, file: "a.yaml", suites: .all)
  }

  @Test("The file sets the format")
  func theFormatStandsInTheFile() throws {
    #expect(try system("from: stdout").format == .lines)
    for format in LineFormat.allCases { #expect(try system("format: \(format.rawValue)").format == format) }
    #expect(throws: YAMLFileError.self) { try system("format: xml") }
  }

  @Test("Only the name of a file can be a pattern")
  func onlyTheNameOfAFileCanBeAPattern() throws {
    #expect(try system("from: {file: 'runs/log-*.txt'}").sources == [.file("runs/log-*.txt")])
    let error = #expect(throws: YAMLFileError.self) { try system("from: {file: 'run-*/log.txt'}") }
    #expect(error?.description.contains("a.yaml:5:") == true && error?.problem.contains("only the last part") == true)
  }
}
