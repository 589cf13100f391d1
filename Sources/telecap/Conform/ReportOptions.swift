import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapReplay
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
  /// - Throws: `FileError`
  func prepare() throws {
    for file in files where file.path != "-" {
      try Output.write("", to: file.path)
    }
    if let artifacts { try Folders.create(artifacts) }
  }

  /// Judges a system: prints what `run` tells as it comes, follows up what failed, prints and writes the reports. The
  /// system is closed in any case.
  ///
  /// - Parameter budget: how long shrinking may take, in ns, where runs take their real time; nil in virtual time.
  /// - Throws: what `run` throws; what is wrong with the reports' files.
  func judging(
    _ system: any SystemUnderTest, _ open: SuiteReport, _ format: OutputFormat, within budget: Int64?,
    _ run: (_ tell: (ScenarioResult) -> Void) async throws -> SuiteResult
  ) async throws -> SuiteResult {
    let isTalk = takesStandardOutput
    var output = Output()
    let progress = SuiteProgress(isJSON: format == .json, style: Console.style(for: isTalk ? 2 : 1)) { line in
      if isTalk { return Console.say(line) }
      try output.line(line)
      try output.flush()
    }
    do {
      let result = try await run { progress.tell($0, open) }
      let followUp = FollowUp(
        artifacts: artifacts, shrinkRuns: shrink ? shrinkRuns : nil, budget: budget, tool: Telecap.tool,
        ports: Loaded.ports)
      let report = try await followUp.complete(open, with: result, of: system)
      await system.close()
      try progress.finish(report)
      for file in files { try Output.write(file.text(report), to: file.path) }
      return result
    } catch {
      await system.close()
      // As a shell reports a command that Ctrl-C ended.
      throw error is CancellationError ? ExitCode(130) : error
    }
  }
}
