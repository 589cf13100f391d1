import Foundation
import TelecapTestSupport
import Testing

/// What the README and the documentation show is what the program prints: each command of theirs that needs nothing but what
/// a clone holds is run as it stands there.
@Suite(.serialized) struct DocumentedOutputTests {
  /// A command and what is shown below it.
  struct Example {
    var line: Int
    var command: String
    var shown: [String]
  }

  /// What needs a session of one's own, a phone, a wall clock, or minutes.
  private static let left = [
    "session.", " record", "192.168", " simulate", "cut.pcapng", "bad.ahap", "$?", "/systems/", "poses.csv",
    "worse.plan",
  ]

  /// The examples of a page, in its order; commands of a block that shows nothing are run for what they leave behind.
  static func examples(in page: String) throws -> [Example] {
    let text = try String(contentsOf: Project.file(page), encoding: .utf8)
    var examples: [Example] = []
    var isInside = false
    // A block without a command shows a file.
    var hasCommand = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isInside.toggle()
        hasCommand = false
      } else if isInside, line.hasPrefix("$ ") {
        hasCommand = true
        examples.append(Example(line: number + 1, command: String(line.dropFirst(2)), shown: []))
      } else if hasCommand {
        examples[examples.count - 1].shown.append(String(line))
      }
    }
    return examples.filter { example in
      example.command != "telecap conform" && !left.contains { " \(example.command)".contains($0) }
    }
  }

  /// Whether lines are those shown: `…` on a line of its own stands for any lines, within one for any text; times of the
  /// wall clock differ.
  static func isShown(_ printed: [String], _ shown: [String]) throws -> Bool {
    let time = /\d[\d.,]* (?:ns|µs|ms|s)\b/
    let patterns = shown.map { line -> String in
      if line.trimmingCharacters(in: .whitespaces) == "…" { return "(?:[^\n]*\n)*?" }
      let parts = line.replacing(time, with: "0 s").split(separator: "…", omittingEmptySubsequences: false)
      return parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "[^\n]*") + "\n"
    }
    let text = printed.map { $0.replacing(time, with: "0 s") + "\n" }.joined()
    return try Regex(patterns.joined()).wholeMatch(in: text) != nil
  }

  @Test(
    "Every command of the documentation prints what stands there",
    arguments: [
      ("README.md", 7), ("Documentation/ahap.md", 6), ("Documentation/haptics.md", 4),
      ("Documentation/protocol-file.md", 1), ("Documentation/touch.md", 6),
    ])
  func printsWhatIsShown(_ page: String, atLeast: Int) throws {
    let folder = try Folder()
    let examples = try Self.examples(in: page)
    #expect(examples.count >= atLeast)
    let setUp =
      "cd '\(folder.path)' && ln -sfn '\(Project.file("Captures").path)' Captures && PATH=\"$(dirname \"$telecap\"):$PATH\""
    for example in examples {
      let run = try Program.shell(
        "\(setUp); exec 2>&1; \(example.command)", environment: ["NO_COLOR": "1", "COLUMNS": "200"])
      let shown = Self.withoutBlankEnd(example.shown)
      if shown.isEmpty { continue }
      let printed = Self.withoutBlankEnd(
        run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      #expect(try Self.isShown(printed, shown), "\(page):\(example.line): \(example.command)\n\(run.output)")
    }
  }

  private static func withoutBlankEnd(_ lines: [String]) -> [String] {
    Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }

  @Test("What differs is seen", arguments: [["a 1", "…", "b"], ["a 2", "b"], ["a 1"], ["a 1", "b", "c"]])
  func differencesAreSeen(_ shown: [String]) throws {
    #expect(try Self.isShown(["a 1", "b"], ["a 1", "b"]) && Self.isShown(["a 1", "x", "b"], ["a 1", "…", "b"]))
    #expect(try Self.isShown(["took 1.5 ms"], ["took 2 s"]) && !Self.isShown(["took 1.5"], ["took 2"]))
    #expect(try Self.isShown(["a 1", "b"], shown) == (shown == ["a 1", "…", "b"]))
  }
}
