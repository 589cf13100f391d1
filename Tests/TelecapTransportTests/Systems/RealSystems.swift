import CSockets
import Foundation
import TelecapConformance
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTestSupport
import TelecapWire

@testable import TelecapTransport

/// The project's own scenarios and systems, over real sockets.
enum RealSystems {
  static let root = Project.root

  /// A system file of the project, run by `telecap` where it needs our own program.
  static func system(_ name: String, telecap: String = "") throws -> ProgramSystem {
    let directory = root.appending(path: "Scenarios/systems").path
    let text = try String(contentsOfFile: "\(directory)/\(name).yaml", encoding: .utf8)
    return ProgramSystem(
      try SystemFile(text, file: "\(name).yaml", suites: .all), directory: directory, telecap: telecap)
  }

  private static let folder = ScenarioFolder(root.appending(path: "Scenarios").path)

  private static let all = Result { try folder.read() }

  static func scenario(_ path: String) throws -> Scenario { try folder.scenario(path) }

  /// Every scenario of a role, in order.
  static func scenarios(of role: Role) throws -> [Scenario] {
    try all.get().filter { $0.setup.part == Part(role) }
  }

  /// One case of each scenario, by id. A scenario that is inconclusive because this machine was too busy runs again, four
  /// times at most: a test expects the verdict on the system, and a sanitizer or other tests may delay any run.
  static func run(_ scenarios: [Scenario], against system: some SystemUnderTest) async throws -> [ScenarioResult] {
    let runner = SuiteRunner(system, clock: { telecap_monotonic_ns() })
    var results = try await runner.run(scenarios).scenarios
    for _ in 0..<4 {
      for index in results.indices where results[index].wasDelayed {
        results[index] = try await runner.run([results[index].scenario]).scenarios[0]
      }
    }
    return results
  }
}

extension ScenarioResult {
  /// Whether there is no verdict because this machine woke up too late.
  fileprivate var wasDelayed: Bool { verdict == .inconclusive && shown.reason.contains("too busy for a verdict") }

  /// Its verdict and why, for a test that expects another.
  var story: String {
    let breach = shown.breaches.first.map { "expected \($0.expected), observed \($0.observed)" }
    return "\(scenario.id): \(verdict.rawValue) \(shown.case) \(breach ?? shown.reason)"
  }
}
