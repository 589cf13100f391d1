import TelecapConformance
import TelecapFiles
import TelecapReport

/// Is told of a suite while it runs.
public protocol SuiteWatcher: Sendable {
  /// A scenario came out, of the report that is still open.
  func take(_ result: ScenarioResult, of open: SuiteReport)
  /// All is over, and came to this.
  func finish(_ report: SuiteReport)
}

/// How a suite is told of while it runs, and what it leaves behind: lines as they come, reports, and files about each failure.
public struct SuiteReporting {
  /// A report: where it goes (`-` is standard output), and its text.
  public typealias File = (path: String, text: (SuiteReport) -> String)

  /// Is told of it too; nil for nobody.
  public var watcher: (any SuiteWatcher)?
  private let files: [File]
  private let followUp: FollowUp
  private let isJSON: Bool
  private let style: Style
  private let print: (String) throws -> Void

  /// - Parameters:
  ///   - followUp: what is done about failures.
  ///   - isJSON: whether the lines are objects of JSON.
  ///   - style: how the lines are shown.
  ///   - print: takes each line, at once.
  public init(
    _ files: [File], _ followUp: FollowUp, isJSON: Bool, style: Style,
    print: @escaping (String) throws -> Void
  ) {
    (self.files, self.followUp, self.isJSON, self.style, self.print) = (files, followUp, isJSON, style, print)
  }

  /// Begins every file before anything is run: what cannot be created is told at once. A report of an earlier run is taken away,
  /// so that nobody takes it for the new one. Until a report is whole there is none.
  ///
  /// - Throws: `FileError`
  private func begin() throws(FileError) -> [PendingFile] {
    if let artifacts = followUp.artifacts { try Artifacts.prepare(artifacts, for: followUp.scenarios) }
    var pending: [PendingFile] = []
    for file in files { pending.append(try PendingFile(at: file.path, force: true)) }
    for file in pending { try file.removeFormer() }
    return pending
  }

  /// Writes them all, also when one cannot be written.
  ///
  /// - Throws: `FileError`; `UnwrittenReports` of several.
  private func write(_ report: SuiteReport, to pending: [PendingFile]) throws {
    var failures: [FileError] = []
    for (file, place) in zip(files, pending) {
      do {
        var output = try Output(place)
        try output.write(Array(file.text(report).utf8))
        try output.finish()
      } catch {
        // Its room is there for the others.
        place.discard()
        failures.append(error)
      }
    }
    if failures.count > 1 { throw UnwrittenReports(failures: failures) }
    if let failure = failures.first { throw failure }
  }

  /// Judges a system: begins the reports' files, prints what `run` tells as it comes, follows up what failed, prints and writes the
  /// reports. The system is closed in any case.
  ///
  /// - Parameter open: the report without its result.
  /// - Throws: what `run` throws; what is wrong with the reports' files.
  public func judging(
    _ system: any SystemUnderTest, _ open: SuiteReport,
    _ run: (_ tell: (ScenarioResult) -> Void) async throws -> SuiteResult
  ) async throws -> SuiteResult {
    do {
      let pending = try begin()
      let progress = SuiteProgress(isJSON: isJSON, style: style, write: print)
      let result = try await run {
        progress.tell($0, open)
        watcher?.take($0, of: open)
      }
      let report = try await followUp.complete(open, with: result, of: system)
      await system.close()
      watcher?.finish(report)
      try progress.finish(report)
      try write(report, to: pending)
      return result
    } catch {
      await system.close()
      throw error
    }
  }
}

/// Several reports could not be written.
public struct UnwrittenReports: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, of each.
  public let failures: [FileError]

  /// A line each.
  public var description: String { failures.map { "\($0)" }.joined(separator: "\n") }
}
