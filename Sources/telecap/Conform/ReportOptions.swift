import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapReport

/// What `conform` leaves behind beside the text on the terminal: reports for people and machines, and files about each
/// failure. Several at once.
struct ReportOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Write JUnit's XML, which CI systems read.", valueName: "file"))
  var junit: String?
  @Option(name: .long, help: ArgumentHelp("Write the Test Anything Protocol, version 14.", valueName: "file"))
  var tap: String?
  @Option(name: .long, help: ArgumentHelp("Write everything as one JSON object.", valueName: "file"))
  var json: String?
  @Option(name: .long, help: ArgumentHelp("Write Markdown for the summary of a CI job.", valueName: "file"))
  var markdown: String?
  @Option(name: .long, help: ArgumentHelp("Write a page with a picture of each scenario.", valueName: "file"))
  var html: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "For each failure, keep its plan, its traffic, what it showed and what it wrote.", valueName: "directory"))
  var artifacts: String?
  @Flag(name: .long, help: "Reduce the network's faults in each failure to the fewest that still fail.")
  var shrink = false
  @Option(name: .long, help: ArgumentHelp("How many runs shrinking one failure may take.", valueName: "count"))
  var shrinkRuns = 500

  func validate() throws {
    guard shrinkRuns > 0 else { throw ValidationError("--shrink-runs is \(shrinkRuns); it must be at least 1") }
    guard files.count(where: { $0.path == "-" }) <= 1 else {
      throw ValidationError("two reports go to standard output (-); give all but one a file")
    }
  }

  /// The first of these options that was given; nil where none was.
  var firstGiven: String? {
    let given = [
      ("junit", junit != nil), ("tap", tap != nil), ("json", json != nil), ("markdown", markdown != nil),
      ("html", html != nil), ("artifacts", artifacts != nil), ("shrink", shrink),
    ]
    return given.first(where: \.1)?.0
  }

  /// A report takes standard output: the text goes to stderr.
  var takesStandardOutput: Bool { files.contains { $0.path == "-" } }

  private typealias File = (path: String, text: (SuiteReport) -> String)

  private var files: [File] {
    let formats: [(String?, (SuiteReport) -> String)] = [
      (junit, SuiteJUnit.text), (tap, SuiteTAP.text), (json, SuiteJSON.text), (markdown, SuiteMarkdown.text),
      (html, SuiteHTML.text),
    ]
    return formats.compactMap { path, text in path.map { (path: $0, text: text) } }
  }

  /// Creates every file empty before anything is run: what cannot be created is told at once, and nobody takes an old
  /// report for a new one.
  ///
  /// - Throws: `Failure` with status 73.
  func prepare() throws {
    for file in files where file.path != "-" {
      var output = try Output(path: file.path, force: true)
      try output.flush()
    }
    if let artifacts { _ = try Artifacts(directory: artifacts) }
  }

  /// The report with the suite's result, with what shrinking found and where the files about its failures are; writes
  /// those files.
  ///
  /// - Parameter budget: how long shrinking may take, in ns, where runs take their real time; nil in virtual time.
  /// - Throws: `SystemError` when the system cannot be started any more, `Failure` or `CaptureFileError` when a file
  ///   cannot be written.
  func complete(
    _ open: SuiteReport, with result: SuiteResult, _ system: any SystemUnderTest, within budget: Int64?
  ) async throws -> SuiteReport {
    var report = open
    report.result = result
    let failures = result.scenarios.filter { $0.verdict == .fail }
    for scenario in result.scenarios where scenario.verdict == .fail || scenario.verdict == .inconclusive {
      guard let artifacts else { break }
      report.artifacts[scenario.scenario.id] = try Artifacts(directory: artifacts).keep(scenario)
    }
    for scenario in failures where shrink {
      let share = budget.map { Int(clamping: $0 / Int64(failures.count) / scenario.scenario.wallTime) }
      report.shrunk[scenario.scenario.id] = try await shrunk(scenario, system, runs: min(shrinkRuns, share ?? .max))
    }
    return report
  }

  private func shrunk(
    _ scenario: ScenarioResult, _ system: any SystemUnderTest, runs: Int
  ) async throws -> String {
    guard runs > 0 else { return "not shrunk: one run takes longer than what is left of --budget" }
    do {
      let found = try await system.shrink(scenario.shown.of, of: scenario.scenario, runs: runs)
      guard let found else { return "could not be shrunk: it passed when it was run again" }
      if found.faults.isEmpty { return "fails without any fault of the network" }
      let rest = found.isMinimal ? "" : " (or fewer: \(found.runs) runs were not enough)"
      return "fails with just: \(NetworkFault.list(found.faults))\(rest)"
    } catch is CancellationError {
      return "not shrunk: it was broken off"
    }
  }

  /// Writes the reports.
  ///
  /// - Throws: `Failure` when one cannot be written.
  func write(_ report: SuiteReport) throws {
    for file in files {
      var output = try Output(path: file.path, force: true)
      try output.write(Array(file.text(report).utf8))
      try output.flush()
    }
  }
}
