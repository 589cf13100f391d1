import TelecapHaptics
import Testing

/// Traces and views are read strictly: each error has its place.
@Suite struct TouchReadingTests {
  static let trace = """
    {"time":0.0,"phase":"began","x":10.0,"y":20.0,"force":0.5}

    {"time":0.016,"phase":"moved","x":11.5,"y":20.0,"force":2.5,"max_force":4.0,"finger":1}
    {"time":0.5,"phase":"ended","x":11.5,"y":20.0,"force":0.0}
    """
  static let views = """
    {"name": "screen", "frame": [0, 0, 400, 800], "children": [
      {"name": "ok", "kind": "button", "frame": [100, 100, 200, 50], "threshold": 4, "texture": "high-edges"}
    ]}
    """

  private func message(_ work: () throws -> Void) -> String {
    do {
      try work()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("A trace is written and read back unchanged")
  func aTraceReadsAndWritesTheSame() throws {
    let samples = try TouchSample.trace(Array(TouchReadingTests.trace.utf8))
    #expect(samples.map(\.time) == [0, 16_000_000, 500_000_000])
    #expect(samples[1] == TouchSample(time: 16_000_000, finger: 1, .moved, x: 11.5, y: 20, force: 2.5, maximumForce: 4))
    for sample in samples { #expect(try TouchSample(line: Array(sample.line.utf8)) == sample) }
  }

  @Test(
    "An error in a line names its line and column",
    arguments: [
      (
        "{\"time\":0,\"phase\":\"begun\",\"x\":1,\"y\":1}",
        "1:19: \"phase\" is one of began, moved, stationary, ended, cancelled"
      ),
      ("{\"time\":0,\"phase\":\"began\",\"y\":1}", "1:1: \"x\" is missing"),
      ("{\"time\":-1,\"phase\":\"began\",\"x\":1,\"y\":1}", "1:9: \"time\" is a number of 0.0 to 1000000000.0"),
      (
        "{\"time\":0,\"phase\":\"began\",\"x\":1e400,\"y\":1}",
        "1:31: \"x\" is a number of -1000000000.0 to 1000000000.0"
      ),
      ("[1]", "1:1: found an array where an object is expected"),
      (
        "{\"time\":0,\"phase\":\"began\",\"x\":1,\"y\":1,\"pressure\":1}",
        "1:39: unknown key \"pressure\"; there are time, phase, x, y, force, max_force, finger"
      ),
    ])
  func whatIsWrongWithALineIsNamedWithItsPlace(_ line: String, _ expected: String) {
    #expect(message { _ = try TouchSample.trace(Array(line.utf8)) } == expected)
    #expect(message { _ = try TouchSample.trace(Array(("\n\n" + line).utf8)) } == "3" + expected.dropFirst())
  }

  @Test("A time before that of the line before is an error")
  func timeDoesNotRunBack() {
    let text = "{\"time\":1,\"phase\":\"began\",\"x\":1,\"y\":1}\n{\"time\":0.5,\"phase\":\"ended\",\"x\":1,\"y\":1}\n"
    #expect(
      message { _ = try TouchSample.trace(Array(text.utf8)) } == "2:1: \"time\" is earlier than in the line before")
  }

  @Test(
    "An error in views names its line and column",
    arguments: [
      ("{\"name\": \"a\"}", "1:1: \"frame\" is [x, y, width, height] in points"),
      ("{\"name\": \"\", \"frame\": [0, 0, 1, 1]}", "1:10: a view needs a \"name\""),
      ("{\"name\": \"a\", \"frame\": [0, 0, 1, \"1\"]}", "1:24: \"frame\" is [x, y, width, height] in points"),
      (
        "{\"name\": \"a\", \"frame\": [0, 0, 1, 1], \"kind\": \"knob\"}",
        "1:46: \"kind\" is one of plain, button, scroll"
      ),
      ("{\"name\": \"a\", \"frame\": [0, 0, 1, 1], \"children\": 3}", "1:50: \"children\" is a list of views"),
    ])
  func whatIsWrongWithViewsIsNamedWithItsPlace(_ text: String, _ expected: String) {
    #expect(message { _ = try ViewTree(json: Array(text.utf8)) } == expected)
  }

  @Test("Every truncation is an error and never a trap")
  func everyTruncationIsAnErrorAndNeverATrap() throws {
    let views = Array(TouchReadingTests.views.utf8)
    let tree = try ViewTree(json: views)
    #expect(tree.root.children.first?.threshold == 4 && tree.root.children.first?.texture == .highEdges)
    for length in 0..<views.count {
      #expect(throws: TouchFileError.self, "\(length)") { try ViewTree(json: Array(views.prefix(length))) }
    }
    let line = Array(TouchReadingTests.trace.utf8.prefix { $0 != 10 })
    for length in 0..<line.count {
      #expect(throws: TouchFileError.self, "\(length)") { try TouchSample(line: Array(line.prefix(length))) }
    }
  }

  @Test("Views nested more than 64 levels deep are rejected")
  func viewsThatLieInOneAnotherForEverAreRefused() {
    let text =
      String(repeating: "{\"name\":\"a\",\"frame\":[0,0,1,1],\"children\":[", count: 100)
      + String(repeating: "]}", count: 100)
    #expect(message { _ = try ViewTree(json: Array(text.utf8)) }.contains("more than 64 levels deep"))
  }
}
