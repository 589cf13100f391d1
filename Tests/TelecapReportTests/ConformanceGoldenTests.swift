import Foundation
import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import TelecapText
import Testing

@testable import TelecapReport

@Suite struct GoldenReportTests {
  @Test("Every outcome as text")
  func everyOutcomeAsText() throws {
    let report = try Suites.mixed()
    let text = SuiteText(style: .plain, verbosity: .verbose)
    let lines = report.result.scenarios.compactMap(text.line) + text.ending(report)
    try expectGolden(lines.joined(separator: "\n") + "\n", "suite.txt")
  }

  @Test("Passes are only counted without -v, and scenarios that were skipped are listed by reason")
  func passesAreCounted() throws {
    var report = try Suites.mixed()
    let text = SuiteText(style: .plain)
    #expect(report.result.scenarios.allSatisfy { text.line($0) == nil })
    let lines = text.ending(report)
    #expect(lines.contains("SKIP  mouse.split.sum.b: unsupported: it has no Bluetooth"))
    #expect(lines.contains("SKIP  mouse.split.sum.c: not run: left out"))
    #expect(!lines.contains { $0.hasPrefix("PASS") })
    let skipped = try #require(report.result.scenarios.last)
    report.result.scenarios = [skipped, skipped]
    #expect(text.ending(report).contains("SKIP  2 scenarios: not run: left out"))
  }

  @Test("-q prints a line for each failure, and the verdict")
  func quiet() throws {
    let report = try Suites.mixed()
    let lines = SuiteText(style: .plain, verbosity: .quiet).ending(report)
    let words = lines.map { String($0.prefix { $0 != " " }) }
    #expect(words == ["FAIL", "FAIL", "ERROR", "INCONCLUSIVE", "FAIL"])
    #expect(lines.last == SuiteText(style: .plain).ending(report).last)
    #expect(lines.dropLast().allSatisfy { $0.contains("; repeat: telecap conform --sut ") })
  }

  @Test("Colour marks the elements that differ, and nothing else of a value")
  func colour() throws {
    let lines = SuiteText(style: Style(isColoured: true)).ending(try Suites.mixed())
    #expect(lines.contains { $0.hasSuffix("impacts [\u{1b}[32mlight\u{1b}[0m, medium, \u{1b}[32mheavy\u{1b}[0m]") })
    #expect(lines.contains { $0.hasSuffix("observed  \u{1b}[31mended by signal 11\u{1b}[0m") })
  }

  @Test("Every outcome as j unit")
  func everyOutcomeAsJUnit() throws { try expectGolden(SuiteJUnit.text(try Suites.mixed()), "suite.xml") }
  @Test("Every outcome as TAP")
  func everyOutcomeAsTAP() throws { try expectGolden(SuiteTAP.text(try Suites.mixed()), "suite.tap") }
  @Test("Every outcome as JSON")
  func everyOutcomeAsJSON() throws { try expectGolden(SuiteJSON.text(try Suites.mixed()), "suite.json") }
  @Test("Every outcome as workflow commands")
  func everyOutcomeAsWorkflowCommands() throws {
    try expectGolden(SuiteGitHub.text(try Suites.mixed()), "suite.github")
  }
  @Test(
    "A requirement of a file stands on its line",
    arguments: [
      ("dsu.pad.clamp-high", "- name: pad"), ("dsu.robust.mutations", "streams:"),
      ("dsu.header.magic", "- {name: magic"),
    ])
  func aRequirementOfAFileStandsOnItsLine(_ id: String, _ begins: String) throws {
    let text = try String(contentsOf: Project.file("Scenarios/protocols/dsu.yaml"), encoding: .utf8)
    let line = text.split(separator: "\n", omittingEmptySubsequences: false)[SuiteGitHub.line(of: id, in: text) - 1]
    #expect(line.trimmingPrefix { $0 == " " }.hasPrefix(begins), "\(line)")
  }
  @Test("Every outcome as markdown")
  func everyOutcomeAsMarkdown() throws { try expectGolden(SuiteMarkdown.text(try Suites.mixed()), "suite.md") }
  /// Without the style, which is that of all pages and changes with them.
  @Test("Every outcome as HTML")
  func everyOutcomeAsHTML() throws {
    let page = SuiteHTML.text(try Suites.mixed())
    #expect(page.contains(PageLook.text) && page.contains(Escaping.markup(PagePolicy.still)))
    let plain = page.replacing(PageLook.text, with: "").replacing(Escaping.markup(PagePolicy.still), with: "…")
    try expectGolden(plain, "suite.html")
  }

  @Test("A suite without failures whose scenarios have no verdict is inconclusive")
  func whatCouldNotBeDecidedIsUnclearAndNotFailed() throws {
    var report = try Suites.mixed()
    let undecided: Set<Verdict> = [.inconclusive, .pass]
    report.result.scenarios.removeAll { !undecided.contains($0.verdict) }
    #expect(!report.passes)
    #expect(SuiteText(style: .plain).ending(report).last?.hasPrefix("INCONCLUSIVE  ") == true)
    report.result.scenarios.removeAll { $0.verdict == .inconclusive }
    #expect(SuiteText(style: .plain).ending(report).last?.hasPrefix("PASS  ") == true)
  }

  @Test("A touch sample is told as its line")
  func aTouchSampleIsToldAsItsLine() {
    let line = "{\"time\":0.5,\"phase\":\"began\",\"x\":1.0,\"y\":2.0,\"force\":0.5}"
    #expect(PayloadText(part: .touch, nil).text(Array(line.utf8), over: .udp) == line)
  }
}
