import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@testable import TelecapReport

@Suite struct GoldenReportTests {
  @Test func everyOutcomeAsText() throws {
    let report = try Suites.mixed()
    let text = SuiteText(style: .plain)
    let lines = report.result.scenarios.map(text.line) + text.ending(report)
    try expectGolden(lines.joined(separator: "\n") + "\n", "suite.txt")
  }

  @Test func everyOutcomeAsJUnit() throws { try expectGolden(SuiteJUnit.text(try Suites.mixed()), "suite.xml") }
  @Test func everyOutcomeAsTAP() throws { try expectGolden(SuiteTAP.text(try Suites.mixed()), "suite.tap") }
  @Test func everyOutcomeAsJSON() throws { try expectGolden(SuiteJSON.text(try Suites.mixed()), "suite.json") }
  @Test func everyOutcomeAsMarkdown() throws { try expectGolden(SuiteMarkdown.text(try Suites.mixed()), "suite.md") }
  @Test func everyOutcomeAsHTML() throws { try expectGolden(SuiteHTML.text(try Suites.mixed()), "suite.html") }

  @Test func whatCouldNotBeDecidedIsUnclearAndNotFailed() throws {
    var report = try Suites.mixed()
    let undecided: Set<Verdict> = [.inconclusive, .pass]
    report.result.scenarios.removeAll { !undecided.contains($0.verdict) }
    #expect(!report.passes)
    #expect(SuiteText(style: .plain).ending(report).last?.hasPrefix("UNCLEAR  ") == true)
    report.result.scenarios.removeAll { $0.verdict == .inconclusive }
    #expect(SuiteText(style: .plain).ending(report).last?.hasPrefix("PASS  ") == true)
  }

  @Test func aTouchSampleIsToldAsItsLine() {
    let line = "{\"time\":0.5,\"phase\":\"began\",\"x\":1.0,\"y\":2.0,\"force\":0.5}"
    #expect(PayloadText(part: .touch, nil).text(Array(line.utf8), over: .udp) == line)
  }
}
