import ArgumentParser
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapTele
import TelecapText
import TelecapTransport

/// Runs a replay from its source, destination and options, and prints the report.
struct Sending {
  /// The recording.
  let source: ReplaySource
  let to: ReplayTarget
  let options: SendingOptions
  let format: StyledFormatOption
  let amount: VerbosityOption
  let impairments: ImpairmentChoice
  /// The port for TCP streams, if `to` names one for datagrams.
  var tcpPort: UInt16?
  var timeline = Timeline(speed: .recorded)
  /// A saved plan to carry out instead of making one.
  var plan: String?
  var rewriting = Rewriting()
  /// The reports of a system under test.
  var reports = ReportOptions()
  /// The maximum number of runs to shrink a failure of a system under test; nil for no shrinking.
  var shrinkRuns: Int?

  /// Sends the recording, prints the report, and checks the requirements.
  func run() async throws {
    try to.check(source)
    let asked = try impairments.impairments
    let run = try ReplayRun(
      of: source, by: plan, timeline, where: impairments.where, rewriting, suites: Loaded.suites,
      progress: Progress(), tell: Console.say
    ) { impairments.header(timeline, asked, $0) }
    try Given.refuse(
      ("fail-if-late verbose", run.feeder.header.speed == .max, "cannot be combined with a plan made at --speed max"))
    try run.refuseIdle()
    if options.dryRun { return try list(run) }
    let (report, damage): ReplayRun.Result
    switch to {
    case .system(let text): return try await judge(run, SystemChoice(text, run.suites, stop: .signals).system)
    case .model: (report, damage) = try run.againstModel()
    case .simulate:
      (report, damage) = try await run.againstPeer(
        times: options.loop, wait: options.wait, recorder: try recorder(run))
    case .recorded, .address:
      (report, damage) = try run.overSockets(
        try routes(run), times: options.loop, wait: options.wait, recorder: try recorder(run),
        tearsDown: options.neutral, tell: Console.say)
    }
    let style = format.style(for: 1)
    try format.format.print(report.text(style: style, verbosity: amount.verbosity)) {
      report.write(to: &$0)
    }
    if let damage { throw damage }
    try check(report)
  }

  private func check(_ report: ReplayReport) throws {
    try report.checkIsWhole(isEndless: options.loop == 0)
    if let limit = options.failIfLate, let late = report.sending?.latest, late > limit.nanoseconds {
      Console.say("telecap: a packet was \(Interval(nanoseconds: late)) late; --fail-if-late allows \(limit)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    if report.oracle?.verdict() == .fail { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  // MARK: - Parts

  private func recorder(_ run: ReplayRun) throws -> ReplayRecorder? {
    do {
      return try options.record.map { try run.recorder($0, force: options.force, tool: Telecap.tool) }
    } catch let error as CaptureFileError {
      throw Failure(.cannotCreate, "\(error)")
    }
  }

  private func routes(_ run: ReplayRun) throws -> ReplayRoutes {
    var target: HostPort?
    if case .address(let named) = to { target = named }
    return try ReplayRoutes(of: source, run.survey, to: target, tcpPort: tcpPort)
  }

  // MARK: - Dry run

  /// `--dry-run`: prints the packets in the order of sending, and sends nothing.
  private func list(_ run: ReplayRun) throws {
    var output = Output()
    let fed = try run.list(try routes(run), isJSON: format.format == .json, to: &output)
    tell(fed, run.feeder.header, ": nothing was sent")
    if let damage = fed.damage { throw damage }
  }

  private func tell(_ fed: UnitFeeder.Fed, _ header: PlanHeader, _ more: String = "") {
    Console.say("plan \(fed.planDigest?.description ?? "?"), seed \(header.seed)\(more)")
    for line in fed.account(of: header) { Console.say("  \(line)") }
  }

  // MARK: - A system under test

  /// Runs the system once, and prints and writes the verdict of each requirement.
  private func judge(_ run: ReplayRun, _ system: any SystemUnderTest) async throws {
    let judged = try JudgedReplay(run, to: system, wait: options.wait)
    let isQuiet = amount.quiet
    if !isQuiet { tell(judged.fed, run.feeder.header) }
    if judged.recorded.leftOut > 0 { Console.say("beacons left out: \(judged.recorded.leftOut)") }
    let reporting = reports.reporting(
      format, isQuiet ? .quiet : .verbose, shrinkRuns: shrinkRuns, within: Sending.shrinking,
      of: judged.scenarios.map(\.id))
    let open = Telecap.report(on: system.name, command: command(run.feeder.header), repeatsWhole: true)
    let result = try await reporting.judging(system, open) { tell in
      let result = try await judged.run()
      result.scenarios.forEach(tell)
      try reporting.skip(judged.unjudged(in: result))
      return result
    }
    if let damage = judged.fed.damage { throw damage }
    if result.failsReplay { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// The maximum time of shrinking.
  private static let shrinking = FollowUp.Budget(nanoseconds: 180_000_000_000, words: "the 180 s for shrinking")

  /// The command line that repeats this run.
  private func command(_ header: PlanHeader) -> [String] {
    let words = ["telecap"] + Given.words
    let isSeeded = impairments.network.seed != nil || plan != nil
    return isSeeded ? words : words.adding(option: "--seed", "\(header.seed)")
  }
}
