import Foundation
import TelecapTestSupport
import Testing

/// The sequence rules of sACN (ANSI E1.31) that receivers have which are in use: `Tests/Independent/sacn` has each as a small receiver, and
/// as a protocol file that differs from the others in its `order` alone.
enum SequenceRule: String, Sendable, CaseIterable {
  /// OLA.
  case window
  /// ETC's sACN, and the Python package sacn.
  case noWrap = "no-wrap"
  /// WLED with "Skip out-of-sequence packets".
  case restarts
  /// E131 of ESPixelStick, and WLED as it is shipped.
  case arrival

  /// The scenario at the borders of the rule.
  var border: String {
    switch self {
    case .window, .noWrap: "sacn.levels.latest-value-wins.window"
    case .restarts: "sacn.levels.latest-value-wins.restart"
    case .arrival: "sacn.levels.latest-value-wins.late"
    }
  }
}

/// A receiver that is judged by a rule that it does not have, and the first message of the border's scenario that shows it.
struct WrongRule: Sendable, CustomTestStringConvertible {
  let declared: SequenceRule
  let receiver: SequenceRule
  let expected: String
  let observed: String
  /// The cell of the table in `Documentation/how-to/test-a-program.md`; nil without one.
  var words: String?

  var testDescription: String { "declared \(declared.rawValue), receiver \(receiver.rawValue)" }

  static let all = [
    WrongRule(
      declared: .window, receiver: .noWrap, expected: "levels 5", observed: "levels 242",
      words: "applies 242 after 5"),
    WrongRule(
      declared: .window, receiver: .restarts, expected: "levels 31", observed: "levels 51",
      words: "drops 31 after 51"),
    WrongRule(declared: .window, receiver: .arrival, expected: "levels 50", observed: "levels 31"),
    WrongRule(
      declared: .noWrap, receiver: .window, expected: "levels 242", observed: "levels 5", words: "drops 242 after 5"),
    WrongRule(
      declared: .noWrap, receiver: .restarts, expected: "levels 31", observed: "levels 51",
      words: "drops 31 after 51"),
    WrongRule(declared: .noWrap, receiver: .arrival, expected: "levels 50", observed: "levels 31"),
    WrongRule(
      declared: .restarts, receiver: .window, expected: "levels 135", observed: "levels 21",
      words: "applies 21 after 135"),
    WrongRule(
      declared: .restarts, receiver: .noWrap, expected: "levels 135", observed: "levels 21",
      words: "applies 21 after 135"),
    WrongRule(declared: .restarts, receiver: .arrival, expected: "levels 135", observed: "levels 134"),
    // Where numbers do not count, values tell messages apart: 128 comes after 129.
    WrongRule(declared: .arrival, receiver: .window, expected: "levels 3, 6, 9, 12", observed: "levels 2, 5, 8, 11"),
    WrongRule(declared: .arrival, receiver: .noWrap, expected: "levels 3, 6, 9, 12", observed: "levels 2, 5, 8, 11"),
    WrongRule(declared: .arrival, receiver: .restarts, expected: "levels 3, 6, 9, 12", observed: "levels 2, 5, 8, 11"),
  ]
}

@Suite("The table of sequence rules in the documentation") struct SequenceRuleTableTests {
  @Test("Each cell is a case that is tested")
  func cells() throws {
    let page = try String(contentsOf: Project.file("Documentation/how-to/test-a-program.md"), encoding: .utf8)
    let rules: [SequenceRule] = [.window, .noWrap, .restarts]
    for (name, receiver) in zip(["OLA", "ETC sACN", "WLED"], rules) {
      let cells = try rules.map { declared -> String in
        if declared == receiver { return "pass" }
        return try #require(WrongRule.all.first { $0.declared == declared && $0.receiver == receiver }?.words)
      }
      #expect(page.contains("| \(name) | \(cells.joined(separator: " | ")) |\n"))
    }
  }
}

extension WallClockSuites {
  @Suite("Sequence rules of sACN, over real sockets", .deep("sixteen suites of a program, some 6 s each"))
  struct SequenceRuleTests {
    /// The lines of a report on scenarios.
    private static func verdicts(
      of receiver: SequenceRule, by declared: SequenceRule, _ only: String
    ) throws -> [[String: Any]] {
      let folder = Project.file("Tests/Independent/sacn").path
      let run = try Program.run(
        [
          "conform", "--only-protocol", "--protocol", "\(folder)/\(declared.rawValue).yaml", "--sut",
          "\(folder)/receiver-\(receiver.rawValue).yaml", "--only", only, "--format", "json",
        ], seconds: 300)
      let lines = try run.json().filter { $0["verdict"] is String }
      #expect(!lines.isEmpty, "\(run.errors)")
      return lines
    }

    @Test("Each receiver passes by its own rule", arguments: SequenceRule.allCases)
    func ownRule(_ rule: SequenceRule) throws {
      let lines = try Self.verdicts(of: rule, by: rule, "sacn.*")
      #expect(lines.contains { $0["id"] as? String == rule.border && $0["verdict"] as? String == "pass" })
      for line in lines where line["verdict"] as? String == "fail" { Issue.record("\(line)") }
    }

    @Test(
      "Each receiver fails by every other rule, at the pair of numbers on which the two differ",
      arguments: WrongRule.all)
    func otherRule(_ wrong: WrongRule) throws {
      let lines = try Self.verdicts(of: wrong.receiver, by: wrong.declared, wrong.declared.border)
      let line = try #require(lines.first { $0["id"] as? String == wrong.declared.border })
      #expect(line["verdict"] as? String == "fail")
      let shown = try #require(line["shown"] as? [String: Any])
      let first = try #require((shown["breaches"] as? [[String: Any]])?.first)
      // The same failure may be there several times: "levels 31 (2 times)".
      let observed = (first["observed"] as? String)?.replacing(/\ \(\d+ times\)$/, with: "")
      #expect(first["expected"] as? String == wrong.expected && observed == wrong.observed, "\(first)")
    }
  }
}
