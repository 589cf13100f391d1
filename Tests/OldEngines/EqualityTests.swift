import Foundation
@testable import TelecapConformance
import TelecapImpairment
import TelecapRecording
import Testing



/// Old engine and new: the same logs and verdicts, for every scenario and every wrong model.
@Suite struct EqualityTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func scenarios() throws -> [Scenario] {
    let folder = root.appending(path: "Scenarios").path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("systems") }.sorted()
    return try paths.compactMap { path in
      let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      guard !text.contains("Captures/") else { return nil }
      return try Scenario(text, path: path, file: path) { _, _ in [] }
    }
  }

  @Test func everyScenarioAndFault() throws {
    var runs = 0
    for scenario in try EqualityTests.scenarios() {
      let part = scenario.setup.part
      let faults: [Fault?] = [nil] + Fault.all(of: part).map { $0 }
      for (index, one) in scenario.cases(seeds: 1).prefix(6).enumerated() {
        let script = scenario.script(for: one)
        for fault in index < 1 ? faults : [nil] {
          let new = try ModelSystem(part, fault: fault).runNow(script)
          let old = try OldModelSystem(part, fault: fault).runNow(script)
          runs += 1
          let newText = new.entries.map { "\($0)" }
          let oldText = old.entries.map { "\($0)" }
          if newText != oldText {
            let place = zip(newText, oldText).enumerated().first { $0.element.0 != $0.element.1 }
            Issue.record("\(scenario.id) \(one) \(fault?.name ?? "right"): \(newText.count) \(oldText.count) \(String(describing: place))")
            return
          }
          #expect(new.end == old.end && new.peers == old.peers)
          #expect(
            Judge.judge(new, script, of: one, in: scenario).verdict
              == Judge.judge(old, script, of: one, in: scenario).verdict)
        }
      }
    }
    print("runs compared:", runs)
  }
}
