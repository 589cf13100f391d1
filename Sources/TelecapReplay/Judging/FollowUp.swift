import TelecapConformance
import TelecapRecording
import TelecapReport
import TelecapWire

/// What is done about failures once a suite has run: files are kept, the network's faults are shrunk.
public struct FollowUp {
  /// Where to keep files about what did not pass; nil for nowhere.
  public var artifacts: String?
  /// How many runs shrinking one failure may take; nil to shrink nothing.
  public var shrinkRuns: Int?
  /// How long shrinking may take where runs take their real time; nil in virtual time.
  public var budget: Budget?
  /// The program that writes the files, with its version.
  public var tool: String
  /// By which a capture of the traffic is to be read.
  public var ports: Ports
  /// The ids of the scenarios of which files may be kept: looked at before anything is run.
  public var scenarios: [String]

  /// A time that all failures share.
  public struct Budget: Sendable {
    /// In ns.
    public var nanoseconds: Nanoseconds
    /// What a person knows it by: `--budget`.
    public var words: String

    /// This much time.
    public init(nanoseconds: Nanoseconds, words: String) { (self.nanoseconds, self.words) = (nanoseconds, words) }
  }

  /// To do this much.
  public init(
    artifacts: String?, shrinkRuns: Int?, budget: Budget?, tool: String, ports: Ports, scenarios: [String] = []
  ) {
    (self.artifacts, self.shrinkRuns, self.budget) = (artifacts, shrinkRuns, budget)
    (self.tool, self.ports, self.scenarios) = (tool, ports, scenarios)
  }

  /// The report with the suite's result, with what shrinking found and where the files about its failures are; writes
  /// those files.
  ///
  /// - Throws: `SystemError` when the system cannot be started any more, `FileError` or `CaptureFileError` when a file
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
