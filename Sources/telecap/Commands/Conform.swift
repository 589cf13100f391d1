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
    abstract: "Judge a host, phone, mouse, mouse host or device against the requirements.",
    discussion: """
      Examples:
        telecap conform
        telecap conform --sut model:phone
        telecap conform --sut model:phone+no-clamp --only 'tele.haptic.*'
        telecap conform --sut my-host.yaml --junit junit.xml --html report.html
        telecap conform --sut my-host.yaml --check
        telecap conform --sut 'udp://127.0.0.1:50000?role=host&code=ABC123'
        telecap conform --protocol dsu --sut my-client.yaml
        telecap conform --sut model:phone --explore 5
        telecap conform --sut my-host.yaml --view
        telecap conform --list

      Each scenario is a file under Scenarios/ that tests one requirement. A
      model runs in virtual time; a program that a system file describes, or one
      that somebody else started, on the wall clock within the budget.

      Exit status: 0 every must held; 1 one did not; 69 the system cannot be
      started; 130 it was broken off.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The system under test: models (all of ours), model:ROLE, model:ROLE+FAULT, FILE.yaml, udp://HOST:PORT?role=host.",
      valueName: "system"), completion: .systems)
  var sut = EveryModel.name

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "A protocol file, or the name of one of Scenarios/protocols: its streams and its header are judged too. May be repeated.",
      valueName: "file"), completion: .protocols)
  var protocols: [String] = []

  @Flag(name: .long, help: "Only the scenarios of the protocols that --protocol names.")
  var onlyProtocol = false

  @OptionGroup(title: "Choosing scenarios") var selection: ScenarioSelection

  @Flag(name: .long, help: "Print the requirements and the scenarios that test each, and run nothing.")
  var list = false

  @Flag(name: .long, help: "Print which cases would run, and run nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Only see what each rule of the system file makes of a short right session.")
  var check = false

  @Flag(name: .long, help: "A should that fails, fails the suite too.")
  var strict = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run each combination with seeds 1 to this; against a model those where something is random.",
      valueName: "count"))
  var seeds: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many cases run at the same time. (default: 8 for programs that can, 1 for others)", valueName: "count"
    ))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only run models on every network of the first so many messages of each stream, 2 to 8, without chance.",
      valueName: "count"))
  var explore: Int?

  @OptionGroup var time: BudgetOption

  @OptionGroup(title: "One case") var one: CaseOptions

  @OptionGroup(title: "Reports") var reports: ReportOptions

  @OptionGroup var page: PageOptions

  @OptionGroup var format: FormatOption

  func validate() throws {
    if let seeds, !(1...100_000).contains(seeds) { throw ValidationError("--seeds is 1 to 100000") }
    if let jobs, !(1...32).contains(jobs) { throw ValidationError("--jobs is 1 to 32") }
    try Given.refuseSame([("--sut", sut)], to: reports.named)
    if let explore, !Explorer.bounds.contains(explore) { throw ValidationError("--explore is 2 to 8 messages") }
    let (runs, isOnWallClock) = ("strict jobs check view \(ReportOptions.names)", SystemChoice.isOnWallClock(sut))
    try Given.refuse(
      ("only-protocol", protocols.isEmpty, "requires --protocol"),
      (
        "\(runs) sut dry-run seeds budget seed network pieces explore", list,
        "cannot be combined with --list, which runs nothing"
      ),
      ("explore \(runs)", dryRun, "cannot be combined with --dry-run, which runs nothing"),
      ("explore", isOnWallClock, "requires a model, whose state can be copied"),
      (
        "strict jobs check seeds seed network pieces view \(ReportOptions.names)", explore != nil,
        "cannot be combined with --explore, which runs every network once"
      ),
      (
        "strict jobs seeds budget seed only skip level view \(ReportOptions.names)", check,
        "cannot be combined with --check"
      ),
      ("strict", selection.level == .must, "cannot be combined with --level must, which leaves out every should"),
      ("seeds", one.seed != nil, "cannot be combined with --seed, which asks for one run"),
      ("budget", !isOnWallClock, "requires a system on the wall clock: a model takes no real time"),
      (
        "budget", one.isAsked && !reports.shrink,
        "cannot be combined with --seed, --network and --pieces: one case always runs"
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
    if let explore {
      let isRight = try ExploredModels.run(choice, chosen, messages: explore, in: Loaded.suites) {
        try format.format.print($0)
      }
      throw ExitCode(isRight ? 0 : ExitStatus.failed.rawValue)
    }
    let cases = try ChosenCases(
      chosen, for: choice, one: try one.chosen(), budget: time.budget, seeds: seeds, jobs: jobs)
    if dryRun {
      return try format.format.print(
        CaseList(cases.scenarios, seeds: cases.seeds, isOnWallClock: choice.isOnWallClock))
    }
    let budget = FollowUp.Budget(nanoseconds: time.budget.nanoseconds, words: "--budget")
    var reporting = reports.reporting(format.format, within: choice.isOnWallClock ? budget : nil, of: chosen.map(\.id))
    let open = Telecap.report(on: choice.system.name, command: command, isStrict: strict)
    let suite = page.isAsked ? ShownSuite(tool: Telecap.tool) : nil
    reporting.watcher = suite
    let result = try await page.serve(suite) {
      try await reporting.judging(choice.system, open) { try await cases.run(against: choice, $0) }
    }
    if result.isBrokenOff { throw CancellationError() }
    if !result.passes(strict: strict) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// The command line that runs this suite again, without the options that select scenarios.
  private var command: [String] {
    ["telecap", "conform", "--sut", sut] + protocols.flatMap { ["--protocol", $0] }
      + (selection.scenarios.map { ["--scenarios", $0] } ?? [])
  }
}
