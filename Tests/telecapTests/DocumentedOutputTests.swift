import Foundation
import TelecapTestSupport
import Testing

/// The README and the documentation show the output of the program: each of their commands that needs only a clone is run
/// as it is, in the order of its page, and ends with its expected status.
@Suite(.serialized, .deep("runs every command of the documentation")) struct DocumentedOutputTests {
  /// A command and what is shown below it.
  struct Example {
    var line: Int
    var command: String
    var shown: [String]
    /// A program runs, or a recording was made by one: its times are those of the wall clock.
    var isOnWallClock: Bool { onWallClock.contains { command.contains($0) } }
    /// The file that is shown by it, of which there is none but there.
    var file: String? { command.wholeMatch(of: /cat ([a-z.]+)/).map { String($0.1) } }
    /// The expected exit status.
    var status: Int32 { statuses.first { $0.value.contains { command.contains($0) } }?.key ?? 0 }
  }

  /// What needs a session of one's own, a phone, a file that is not shown, or a field that telecap does not have.
  private static let left = [
    "session.", " record", " relay ", " discover", "192.168", " simulate ", "cut.pcapng", "$?", "poses.csv",
    "worse.plan",
    "ac0d000065", " python ",
  ]
  /// What takes minutes: `casesAreThoseShown` looks at what it would run.
  private static let long = [
    "telecap conform",
    "telecap conform --sut Scenarios/systems/simulated-host.yaml --junit out.xml --html out.html",
  ]
  /// Parts of the commands that run a program, or read its recording.
  private static let onWallClock = [
    "/systems/", "my-host.yaml", "renderer.yaml", "typo.yaml", "learn ", "simulate:host", "flaky.pcapng",
  ]
  /// Parts of the commands that end with another status than 0: mutants, wrong programs and wrong files fail, and 50 ms of
  /// lead are too little for headphones.
  private static let statuses: [Int32: [String]] = [
    1: [
      "+no-clamp", "+wrap-is-old", "+heavy-grows", "+forgets-latch", "+order-of-arrival", "/dsu-client.yaml",
      "sync --audio 90ms", "lint bad.", "--role phone --plan late.plan --to Scenarios",
      "--plan one.plan", "replay flaky.pcapng --role phone --to Scenarios",
      "--jitter 30ms --seed 4 --to Scenarios", "--artifacts failures", "--sut typo.yaml --check", "--sut renderer.yaml",
    ],
    64: ["tele.nothing", "typ = "],
    65: ["--role host --plan late.plan", "malformed.txt", "check ./broken.yaml"],
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
    return examples.filter { example in !left.contains { " \(example.command)".contains($0) } }
  }

  /// Whether lines are those shown: `…` on a line of its own stands for any lines, within one for any text. How long a suite
  /// took differs, and every time where a program ran; all other figures are those of virtual time, and stand.
  static func isShown(_ printed: [String], _ shown: [String], isOnWallClock: Bool = false) throws -> Bool {
    func fixed(_ line: String) -> String {
      if isOnWallClock { return line.replacing(/\d[\d.,]* (?:ns|µs|ms|s)\b/, with: "0 s") }
      return line.replacing(/(\scases?) in \d[\d.,]* (?:ns|µs|ms|s)$/) { "\($0.output.1) in 0 s" }
    }
    let patterns = shown.map { line -> String in
      if line.trimmingCharacters(in: .whitespaces) == "…" { return "(?:[^\n]*\n)*?" }
      let parts = fixed(line).split(separator: "…", omittingEmptySubsequences: false)
      return parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "[^\n]*") + "\n"
    }
    let text = printed.map { fixed($0) + "\n" }.joined()
    return try Regex(patterns.joined()).wholeMatch(in: text) != nil
  }

  @Test(
    "Every command of the documentation prints what stands there",
    arguments: [
      "README.md", "Documentation/explanation/architecture.md", "Documentation/explanation/haptics/ahap.md",
      "Documentation/explanation/haptics/engine.md", "Documentation/explanation/haptics/index.md",
      "Documentation/explanation/haptics/senses.md", "Documentation/explanation/haptics/touch.md",
      "Documentation/how-to/capture-from-a-phone.md", "Documentation/how-to/capture-on-a-robot.md",
      "Documentation/how-to/debug-a-flaky-session.md", "Documentation/how-to/look-at-a-session.md",
      "Documentation/how-to/query-captures.md", "Documentation/how-to/recordings-of-other-programs.md",
      "Documentation/how-to/replay.md", "Documentation/how-to/reproduce-a-failure.md", "Documentation/how-to/shell.md",
      "Documentation/how-to/test-a-program.md",
      "Documentation/how-to/wireshark.md", "Documentation/reference/device-programs.md",
      "Documentation/reference/network-profiles.md", "Documentation/reference/protocol-file.md",
      "Documentation/reference/scenario-file.md", "Documentation/troubleshooting.md",
      "Documentation/tutorials/02-your-own-protocol.md", "Documentation/tutorials/03-test-your-host-in-ci.md",
    ])
  func printsWhatIsShown(_ page: String) throws {
    let folder = try Folder()
    let examples = try Self.examples(in: page).filter { !Self.long.contains($0.command) }
    #expect(!examples.isEmpty)
    for name in ["Captures", "Documentation", "Scenarios", "Tests"] {
      try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: Project.file(name).path)
    }
    for example in examples {
      if let file = example.file {
        _ = try folder.write(Array((example.shown + [""]).joined(separator: "\n").utf8), to: file)
      }
      let run = try Self.run(example.command, in: folder)
      #expect(run.status == example.status, "\(page):\(example.line): \(example.command)\n\(run.output)")
      let shown = Self.withoutBlankEnd(example.shown)
      if shown.isEmpty { continue }
      let printed = Self.withoutBlankEnd(
        run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      let isShown = try Self.isShown(printed, shown, isOnWallClock: example.isOnWallClock)
      #expect(isShown, "\(page):\(example.line): \(example.command)\n\(run.output)")
    }
  }

  /// Runs a command as it stands on a page. Of several that are joined by `|` the first that does not end well gives the
  /// status.
  private static func run(_ command: String, in folder: Folder) throws -> Finished {
    try Program.shell(
      """
      cd '\(folder.path)' && PATH="$(dirname "$telecap"):$PATH" && exec 2>&1 && exec bash -o pipefail -c "$command"
      """,
      environment: [
        "NO_COLOR": "1", "COLUMNS": "200", "command": command, "XDG_CACHE_HOME": folder["cache"],
      ])
  }

  @Test("What takes minutes runs as many scenarios and cases as stand there")
  func casesAreThoseShown() throws {
    let folder = try Folder()
    for name in ["Captures", "Scenarios"] {
      try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: Project.file(name).path)
    }
    let page = "Documentation/how-to/test-a-program.md"
    let examples = try Self.examples(in: page).filter { Self.long.contains($0.command) }
    #expect(examples.map(\.command) == Self.long)
    for example in examples {
      let last = try #require(Self.withoutBlankEnd(example.shown).last)
      let sum = try #require(
        last.wholeMatch(of: /PASS  \S+: (\d+) passed(?:, \d+ not run)?; ([\d,]+) cases in .*/), "\(last)")
      let command = example.command.replacing(/\s--junit.*/, with: "")
      let cases = try Self.run("\(command) --dry-run", in: folder).lines
      #expect(cases.count { !$0.hasSuffix(" in every run") } == Int(sum.2.replacing(",", with: "")))
      #expect(Set(cases.map { $0.prefix { $0 != " " } }).count == Int(sum.1))
    }
  }

  private static func withoutBlankEnd(_ lines: [String]) -> [String] {
    Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }

  @Test("What differs is seen", arguments: [["a 1", "…", "b"], ["a 2", "b"], ["a 1"], ["a 1", "b", "c"]])
  func differencesAreSeen(_ shown: [String]) throws {
    #expect(try Self.isShown(["a 1", "b"], ["a 1", "b"]) && Self.isShown(["a 1", "x", "b"], ["a 1", "…", "b"]))
    #expect(try Self.isShown(["3 cases in 1.5 ms"], ["3 cases in 2 s"]))
    #expect(try Self.isShown(["; 1 case in 1.5 ms"], ["; 1 case in 2 s"]))
    #expect(try !Self.isShown(["at 1.5 s"], ["at 2.5 s"]) && !Self.isShown(["3 cases in 1 s"], ["4 cases in 1 s"]))
    #expect(try Self.isShown(["at 1.5 s"], ["at 2.5 s"], isOnWallClock: true))
    #expect(try !Self.isShown(["at 1.5"], ["at 2.5"], isOnWallClock: true))
    #expect(try Self.isShown(["a 1", "b"], shown) == (shown == ["a 1", "…", "b"]))
  }
}
