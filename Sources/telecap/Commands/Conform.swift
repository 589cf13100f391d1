import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTransport
import TelecapWeb

/// `telecap conform`: tests a system against the requirements of the protocols.
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Test a host, phone, mouse, mouse host or device against the requirements of its protocol.",
    discussion: """
      Examples:
        telecap conform
        telecap conform --sut model:phone
        telecap conform --sut model:phone+no-clamp --only 'tele.haptic.*'
        telecap conform --sut model:phone --explore 5
        telecap conform --list

      Your own program:
        telecap conform --sut my-host.yaml --junit junit.xml --html report.html
        telecap conform --sut my-host.yaml --check
        telecap conform --sut 'udp://127.0.0.1:50000?role=host&code=ABC123'
        telecap conform --protocol dsu --sut my-client.yaml
        telecap conform --sut my-host.yaml --view

      Without --sut, telecap tests its own models. To test your own program, give its
      system file, which telecap learn generates, or the address of a running one.
      While you mend it, --last-failed --fail-fast runs what failed, up to the first
      failure.

      Each scenario is a file in Scenarios/ that tests one requirement. Models run in
      virtual time; programs run on the wall clock, within --time-limit.

      Exit status: 0 every must passed; 1 one did not; 69 the system cannot be
      started; 130 the run was interrupted.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The system under test: models (all of telecap's), model:ROLE, model:ROLE+FAULT (a mutant), FILE.yaml, or udp://HOST:PORT?role=host.",
      valueName: "system"), completion: .systems)
  var sut = EveryModel.name

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "A protocol file, or a name of Scenarios/protocols, whose streams and header are tested too. May be repeated.",
      valueName: "file"), completion: .protocols)
  var protocols: [String] = []

  @Flag(name: .long, help: "Run only the scenarios of the protocols that --protocol names.")
  var onlyProtocol = false

  @OptionGroup(title: "Choosing scenarios") var selection: ScenarioSelection

  @Flag(name: .long, help: "List the requirements and the scenarios that test each; run nothing.")
  var list = false

  @Flag(name: .long, help: "List the cases that would run; run nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Only check the system file: show what each rule reads in a short correct session.")
  var check = false

  @Flag(name: .long, help: "Treat a failed should as a failure of the suite.")
  var strict = false

  @Flag(
    name: .long,
    help: "End the suite after the first failed must; with --strict, also after a failed should. The rest is not run.")
  var failFast = false

  @Flag(
    name: .long,
    help: "Run only the cases that failed when they last ran against this system; all if none failed.")
  var lastFailed = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run each combination with seeds 1 to this number; against models, only combinations that are random.",
      valueName: "count"))
  var seeds: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of cases that run in parallel. (default: 8 for programs that can, 1 for others)", valueName: "count"
    ))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Test models exhaustively: every loss, duplication and order of each stream's first messages, 2 to 8 of them.",
      valueName: "count"))
  var explore: Int?

  @OptionGroup var time: TimeLimitOption

  @OptionGroup(title: "One case") var one: CaseOptions

  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Reports") var shrinking: ShrinkOptions

  @OptionGroup var page: PageOptions

  @OptionGroup var format: StyledFormatOption

  @OptionGroup var amount: VerbosityOption

  @OptionGroup var project: ProjectOption

  func validate() throws {
    if let seeds, !(1...100_000).contains(seeds) { throw ValidationError("--seeds is 1 to 100000") }
    if let jobs, !(1...32).contains(jobs) { throw ValidationError("--jobs is 1 to 32") }
    try Given.refuseSame([("--sut", sut)], to: reports.named)
    if let explore, !Explorer.bounds.contains(explore) { throw ValidationError("--explore is 2 to 8 messages") }
    let (runs, isOnWallClock) = (
      "strict fail-fast jobs check view \(Conform.reportNames)", SystemChoice.isOnWallClock(sut)
    )
    let isRun = !list && !dryRun && !check && explore == nil
    try Given.refuse(
      (
        VerbosityOption.names, !isRun, "requires a run of scenarios: --list, --dry-run, --check and --explore print all"
      ),
      (VerbosityOption.names, format.format == .json, "requires --format text: JSON is complete in any case"),
      ("color", !isRun, "requires a run of scenarios: nothing else is coloured"),
      ("only-protocol", protocols.isEmpty, "requires --protocol"),
      (
        "\(runs) sut dry-run last-failed seeds time-limit case-seed case-network pieces explore", list,
        "cannot be combined with --list, which runs nothing"
      ),
      ("explore \(runs)", dryRun, "cannot be combined with --dry-run, which runs nothing"),
      ("explore", isOnWallClock, "requires a model, whose state can be copied"),
      (
        "strict fail-fast last-failed jobs check seeds case-seed case-network pieces view \(Conform.reportNames)",
        explore != nil, "cannot be combined with --explore, which runs every network once"
      ),
      (
        "strict fail-fast last-failed jobs seeds time-limit case-seed only skip level view \(Conform.reportNames)",
        check,
        "cannot be combined with --check"
      ),
      ("strict", selection.level == .must, "cannot be combined with --level must, which leaves out every should"),
      (
        "last-failed", one.isAsked,
        "cannot be combined with --case-seed, --case-network and --pieces, which select one case"
      ),
      ("seeds", one.caseSeed != nil, "cannot be combined with --case-seed, which selects one run"),
      ("time-limit", !isOnWallClock, "requires a system on the wall clock: a model takes no real time"),
      (
        "time-limit", one.isAsked && !shrinking.shrink,
        "cannot be combined with --case-seed, --case-network and --pieces: one case always runs"
      ))
  }

  func run() async throws {
    let folder = ScenarioFolder(selection.scenarios, Loaded.suites)
    // A list counts the scenarios of each requirement; a run reads only the files that it needs.
    let all = try folder.withThoseOfSuites(list ? ScenarioFilter() : selection.filter)
    try Given.refuseSame(try folder.paths().map { ("a scenario", "\(folder.root)/\($0)") }, to: reports.named)
    let declared = DeclaredProtocols(Loaded.named, in: Loaded.suites)
    declared.problems.forEach(Console.say)
    let chosen = try declared.chosen(of: try selection.filter.chosen(of: all), only: onlyProtocol)
    if list {
      return try format.format.print(RequirementList(declared.requirements(only: onlyProtocol), chosen, of: all))
    }
    let choice = try SystemChoice(sut, Loaded.suites, stop: .signals, inSuite: true)
    if check {
      let check = try await MappingCheck.run(choice.system)
      try format.format.print(MappingText(check))
      throw ExitCode(check.isRight ? 0 : ExitStatus.failed.rawValue)
    }
    if !dryRun { announceModels() }
    if let explore {
      let isRight = try ExploredModels.run(choice, chosen, messages: explore, in: Loaded.suites) {
        try format.format.print($0)
      }
      throw ExitCode(isRight ? 0 : ExitStatus.failed.rawValue)
    }
    let failures = LastFailedFile(system: sut, scenarios: folder.root)
    var cases = try ChosenCases(
      chosen, for: choice, one: try one.chosen(), budget: time.timeLimit, seeds: seeds, jobs: jobs,
      failed: lastFailed ? failures : nil)
    if failFast { cases.endsAfter = { [strict] in $0.fails(strict: strict) } }
    if let note = cases.note { Console.say(note) }
    if dryRun {
      return try format.format.print(
        CaseList(cases.scenarios, seeds: cases.seeds, isOnWallClock: choice.isOnWallClock))
    }
    let budget = FollowUp.Budget(nanoseconds: time.timeLimit.nanoseconds, words: "--time-limit")
    var reporting = reports.reporting(
      format, amount.verbosity, shrinkRuns: shrinking.runs, within: choice.isOnWallClock ? budget : nil,
      of: chosen.map(\.id))
    let open = Telecap.report(on: choice.system.name, command: command, isStrict: strict)
    let suite = page.isAsked ? ShownSuite(tool: Telecap.tool) : nil
    reporting.watcher = suite
    let result = try await page.serve(suite) {
      try await reporting.judging(choice.system, open) { [cases] tell in
        let result = try await cases.run(against: choice, tell)
        if !one.isAsked { keep(result, in: failures) }
        return result
      }
    }
    if result.isBrokenOff { throw CancellationError() }
    if !result.passes(strict: strict) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// The options about the results of a run.
  private static let reportNames = "\(ReportOptions.names) \(ShrinkOptions.names)"

  /// Without `--sut`, reports on stderr what is tested, and how to test another program.
  private func announceModels() {
    if Given.options.contains("sut") || sut != EveryModel.name { return }
    Console.say(
      "no --sut: telecap tests its own models; --sut FILE.yaml tests your program (telecap learn writes that file)")
  }

  /// Keeps the failures for `--last-failed`. A problem with that does not change the verdict, and concerns only those who use the option.
  private func keep(_ result: SuiteResult, in file: LastFailedFile) {
    var failed = (try? file.read()) ?? LastFailed()
    failed.update(result)
    do {
      try file.write(failed)
    } catch {
      if lastFailed { Console.say("--last-failed will not know this run: \(error)") }
    }
  }

  /// The command line that runs this suite again, without the options that select scenarios.
  private var command: [String] {
    ["telecap", "conform", "--sut", sut] + protocols.flatMap { ["--protocol", $0] }
      + (selection.scenarios.map { ["--scenarios", $0] } ?? [])
  }
}
