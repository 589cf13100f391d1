import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapReport

/// The reports of `conform` in addition to the text on the terminal: for people, for machines, and files about each
/// failure. Several can be written at once.
struct ReportOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Write a report as JUnit XML, which CI systems read.", valueName: "file"))
  var junit: String?
  @Option(
    name: .long, help: ArgumentHelp("Write a report in the Test Anything Protocol, version 14.", valueName: "file"))
  var tap: String?
  @Option(name: .long, help: ArgumentHelp("Write all results as one JSON object.", valueName: "file"))
  var json: String?
  @Option(name: .long, help: ArgumentHelp("Write a Markdown report for the summary of a CI job.", valueName: "file"))
  var markdown: String?
  @Option(name: .long, help: ArgumentHelp("Write an HTML page with a picture of each scenario.", valueName: "file"))
  var html: String?
  @Flag(name: .long, help: "Print GitHub workflow commands: GitHub shows each failure at its file and line.")
  var github = false
  @Option(
    name: .long,
    help: ArgumentHelp(
      "For each failure, write its plan, its traffic, the observed events and the program's other output.",
      valueName: "directory"))
  var artifacts: String?

  func validate() throws {
    try Given.refuse(
      ("artifacts", artifacts == "-", "requires a directory: standard output takes one report, such as --json -"))
    guard files.count(where: { $0.path == "-" }) <= 1 else {
      throw ValidationError("two reports go to standard output (-); give all but one a file")
    }
  }

  /// The names of all options, separated by spaces.
  static let names = "junit tap json markdown html github artifacts"

  private var formats: [(name: String, path: String?, text: (SuiteReport) -> String)] {
    [
      ("--junit", junit, SuiteJUnit.text), ("--tap", tap, SuiteTAP.text), ("--json", json, SuiteJSON.text),
      ("--markdown", markdown, SuiteMarkdown.text), ("--html", html, SuiteHTML.text),
      ("--github", github ? "-" : nil, SuiteGitHub.text),
    ]
  }
  private var files: [SuiteReporting.File] { formats.compactMap { row in row.path.map { ($0, row.text) } } }
  /// The files that are written, each with its option: the reports, and existing files that artifacts would replace.
  var named: [SameFile.Named] { formats.map { ($0.name, $0.path) } + Artifacts.present(in: artifacts) }

  /// The reporting of a suite, which writes these files. If one of them goes to stdout, the text goes to stderr.
  ///
  /// - Parameters:
  ///   - verbosity: the amount of text; results that are only counted have a progress line.
  ///   - shrinkRuns: the maximum number of runs to shrink one failure; nil for no shrinking.
  ///   - budget: the maximum time of shrinking; nil in virtual time.
  ///   - ids: the scenarios of which artifacts may be kept.
  func reporting(
    _ format: StyledFormatOption, _ verbosity: Verbosity, shrinkRuns: Int?, within budget: FollowUp.Budget?,
    of ids: [String]
  ) -> SuiteReporting {
    let followUp = FollowUp(
      artifacts: artifacts, shrinkRuns: shrinkRuns, budget: budget, tool: Telecap.tool,
      ports: Loaded.ports, scenarios: ids)
    let isTalk = files.contains { $0.path == "-" }
    var reporting = SuiteReporting(
      files, followUp, isJSON: format.format == .json, style: format.style(for: isTalk ? 2 : 1), verbosity: verbosity
    ) { line in
      if isTalk { return Console.write(line + "\n") }
      try OutputFormat.print(line: line)
    }
    if verbosity == .normal { reporting.progress = (Progress(), ids.count) }
    return reporting
  }
}
