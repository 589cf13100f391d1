import TelecapConformance
import TelecapFiles
import TelecapReport
import TelecapText
import TelecapTransport

/// Observes a suite at run time.
public protocol SuiteWatcher: Sendable {
  /// Called with the result of a scenario, and the report without it.
  func take(_ result: ScenarioResult, of open: SuiteReport)
  /// Called with the final report.
  func finish(_ report: SuiteReport)
}

/// The output of a suite: lines at run time, reports, and files about each failure.
public struct SuiteReporting {
  /// A report: its path (`-` is standard output), and its text.
  public typealias File = (path: String, text: (SuiteReport) -> String)

  /// A further observer; nil for none.
  public var watcher: (any SuiteWatcher)?
  /// Shows how many of so many scenarios have ended.
  public var progress: (line: any ProgressLine, total: Int) = (NoProgress(), 0)
  private let files: [File]
  private let followUp: FollowUp
  private let isJSON: Bool
  private let style: Style
  private let verbosity: Verbosity
  private let print: (String) throws -> Void

  /// - Parameters:
  ///   - followUp: the actions for failures.
  ///   - isJSON: whether the lines are JSON objects.
  ///   - style: the style of the lines.
  ///   - verbosity: the amount of text.
  ///   - print: is called with each line at once.
  public init(
    _ files: [File], _ followUp: FollowUp, isJSON: Bool, style: Style, verbosity: Verbosity = .normal,
    print: @escaping (String) throws -> Void
  ) {
    (self.files, self.followUp, self.isJSON, self.style, self.print) = (files, followUp, isJSON, style, print)
    self.verbosity = verbosity
  }

  /// Creates every file before any run, so that a bad path fails immediately. Removes a report of an earlier run, so
  /// that it cannot be mistaken for the new one. A report appears when it is complete.
  ///
  /// - Throws: `FileError`
  private func begin() throws(FileError) -> [PendingFile] {
    if let artifacts = followUp.artifacts { try Artifacts.prepare(artifacts, for: followUp.scenarios) }
    var pending: [PendingFile] = []
    for file in files { pending.append(try PendingFile(at: file.path, force: true)) }
    for file in pending { try file.removeFormer() }
    return pending
  }

  /// Writes all reports, even if one cannot be written.
  ///
  /// - Throws: `FileError`; `UnwrittenReports` for several.
  private func write(_ report: SuiteReport, to pending: [PendingFile]) throws {
    var failures: [FileError] = []
    for (file, place) in zip(files, pending) {
      do {
        var output = try Output(place)
        try output.write(Array(file.text(report).utf8))
        try output.finish()
      } catch {
        // Free its disk space for the others.
        place.discard()
        failures.append(error)
      }
    }
    if failures.count > 1 { throw UnwrittenReports(failures: failures) }
    if let failure = failures.first { throw failure }
  }

  /// Prints a line for each of these requirements, which a run did not test; the quiet form and JSON have none.
  ///
  /// - Throws: errors of printing.
  public func skip(_ requirements: [String]) throws {
    guard !isJSON, verbosity != .quiet else { return }
    for id in requirements { try print("\(style.dim("SKIP"))  \(id.printable): not exercised, or not observable") }
  }

  /// Tests a system: creates the report files, prints the results of `run` at once, follows up failures, and prints and
  /// writes the reports. The system is closed in any case.
  ///
  /// - Parameter open: the report without its result.
  /// - Throws: errors of `run`; errors of the report files.
  public func judging(
    _ system: any SystemUnderTest, _ open: SuiteReport,
    _ run: (_ tell: (ScenarioResult) -> Void) async throws -> SuiteResult
  ) async throws -> SuiteResult {
    do {
      let pending = try begin()
      let output = SuiteProgress(isJSON: isJSON, style: style, verbosity: verbosity, write: print)
      let (clock, line) = (SystemMonotonicClock(), progress.line)
      let began = clock.now()
      var (ended, failed) = (0, 0)
      let result = try await run { scenario in
        line.clear()
        output.tell(scenario, open)
        watcher?.take(scenario, of: open)
        ended += 1
        if scenario.verdict == .fail { failed += 1 }
        line.show(at: clock.now() - began) { "\(ended) of \(progress.total) scenarios, \(failed) failed" }
      }
      line.clear()
      let report = try await followUp.complete(open, with: result, of: system)
      await system.close()
      watcher?.finish(report)
      try output.finish(report)
      try write(report, to: pending)
      return result
    } catch {
      await system.close()
      throw error
    }
  }
}

/// The error about several reports that could not be written.
public struct UnwrittenReports: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error of each report.
  public let failures: [FileError]

  /// The error messages, a line each.
  public var description: String { failures.map { "\($0)" }.joined(separator: "\n") }
}
