import TelecapConformance
import TelecapRecording
import TelecapReport
import TelecapWire

/// The actions after a suite for its failures: keeping files, and shrinking impairments.
public struct FollowUp {
  /// The folder for files about failures; nil for none.
  public var artifacts: String?
  /// The maximum number of runs to shrink one failure; nil for no shrinking.
  public var shrinkRuns: Int?
  /// The time limit of shrinking where runs take real time; nil in virtual time.
  public var budget: Budget?
  /// The name and version of the writing program.
  public var tool: String
  /// The ports that identify protocols in a capture of the traffic.
  public var ports: Ports
  /// The ids of the scenarios for which files may be kept, checked before any run.
  public var scenarios: [String]

  /// A time that all failures share.
  public struct Budget: Sendable {
    /// The time in ns.
    public var nanoseconds: Nanoseconds
    /// Its name for a person: `--time-limit`.
    public var words: String

    /// A budget of this time.
    public init(nanoseconds: Nanoseconds, words: String) { (self.nanoseconds, self.words) = (nanoseconds, words) }
  }

  /// The actions with these parameters.
  public init(
    artifacts: String?, shrinkRuns: Int?, budget: Budget?, tool: String, ports: Ports, scenarios: [String] = []
  ) {
    (self.artifacts, self.shrinkRuns, self.budget) = (artifacts, shrinkRuns, budget)
    (self.tool, self.ports, self.scenarios) = (tool, ports, scenarios)
  }

  /// The report with the suite's result, the shrunk impairments and the folders of files about its failures; writes
  /// those files.
  ///
  /// - Throws: `SystemError` when the system cannot be started again, `FileError` or `CaptureFileError` when a file
  ///   cannot be written.
  public func complete(
    _ open: SuiteReport, with result: SuiteResult, of system: any SystemUnderTest
  ) async throws -> SuiteReport {
    var report = open
    report.result = result
    if let artifacts {
      let kept = try Artifacts(directory: artifacts, tool: tool, ports: ports)
      for scenario in result.scenarios where scenario.verdict == .fail || scenario.verdict == .inconclusive {
        report.artifacts[scenario.scenario.id] = try kept.keep(scenario)
      }
    }
    let failures = result.scenarios.filter { $0.verdict == .fail }
    for scenario in failures {
      guard let shrinkRuns else { break }
      let share = budget.map { Int(clamping: $0.nanoseconds / Int64(failures.count) / scenario.ran.wallTime) }
      report.shrunk[scenario.scenario.id] = try await shrunk(scenario, system, runs: min(shrinkRuns, share ?? .max))
    }
    return report
  }

  private func shrunk(
    _ scenario: ScenarioResult, _ system: any SystemUnderTest, runs: Int
  ) async throws -> String {
    guard runs > 0 else { return "not shrunk: one run takes longer than its share of \(budget?.words ?? "the time")" }
    do {
      let found = try await system.shrink(scenario.shown.case, of: scenario.repeating, runs: runs)
      guard let found else { return "could not be shrunk: it passed when it was run again" }
      if found.faults.isEmpty { return "fails without any fault of the network" }
      let rest = found.isMinimal ? "" : " (or fewer: \(found.runs) runs were not enough)"
      return "fails with just: \(NetworkFault.list(found.faults))\(rest)"
    } catch is CancellationError {
      return "not shrunk: it was broken off"
    }
  }
}
