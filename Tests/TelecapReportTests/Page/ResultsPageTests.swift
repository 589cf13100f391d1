import Testing

@testable import TelecapReport

@Suite struct ResultsPageTests {
  /// A file of results with these scenarios and verdicts.
  private static func results(_ name: String, _ verdicts: [(String, String)]) throws -> ConformanceResults {
    let scenarios = verdicts.map { id, verdict in
      let breach =
        verdict == "fail" ? #"{"time_ns":1500000,"expected":"strength 1","observed":"<script>strength 2"}"# : ""
      return """
        {"id":"\(id)","verdict":"\(verdict)","broken":false,"level":"must","sentence":"It holds.","cases":2,
        "repeat":"telecap conform --only \(id)","shown":{"breaches":[\(breach)]}}
        """
    }
    let text = """
      {"format":"telecap-conformance","version":1,"system":"robot","began":"2026-01-02T03:04:05Z","tool":"0.1.0",
      "passes":false,"scenarios":[\(scenarios.joined(separator: ","))]}
      """
    return try ConformanceResults(Array(text.utf8), name: name)
  }

  @Test("What became better and worse from the first run to the last stands first")
  func changes() throws {
    let before = try Self.results("a.json", [("one", "pass"), ("two", "fail"), ("three", "pass")])
    let after = try Self.results("b.json", [("one", "fail"), ("two", "pass"), ("three", "pass"), ("four", "pass")])
    let view = ResultsView([before, after])
    #expect(view.changes.map { "\($0.word) \($0.id)" } == ["worse one", "better two", "better four"])
    #expect(view.changes.map(\.text).first == "pass in a.json, fail in b.json")
    #expect(view.rows.map(\.id) == ["one", "two", "three", "four"])
    #expect(view.rows.map(\.isOpen) == [true, true, false, false])
  }

  @Test("A failure stands on the page with its place and its command, and is escaped")
  func failure() throws {
    let page = ResultsPage.text([try Self.results("a.json", [("one", "fail")])], tool: "test")
    for part in ["0.001500 s", "strength 1", "&lt;script&gt;strength 2", "telecap conform --only one", "robot"] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("What changed"))
  }

  @Test(
    "What is no results is told with its place",
    arguments: [
      (#"{"format": x}"#, "f.json:1:12: "),
      (#"{"format":"other"}"#, "it is JSON, but not results of telecap conform --json"),
      (#"{"format":"telecap-conformance","version":2}"#, "another version"),
    ])
  func problems(_ text: String, _ words: String) {
    do {
      _ = try ConformanceResults(Array(text.utf8), name: "f.json")
      Issue.record("it was read")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }
}
