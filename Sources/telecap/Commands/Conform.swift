import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapTransport
import TelecapText

/// `telecap conform`: does a system do what the protocols require?
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge a host, phone, mouse, mouse host or device against the requirements.",
    discussion: """
      Examples:
        telecap conform
        telecap conform --sut model:phone
        telecap conform --sut model:phone+no-clamp --only 'tele.haptic.*'
        telecap conform --sut my-host.yaml --junit junit.xml --html report.html
        telecap conform --sut my-host.yaml --budget 5m
        telecap conform --sut 'udp://127.0.0.1:50000?role=host&code=ABC123'
        telecap conform --protocol dsu --sut my-client.yaml
        telecap conform --list

      Each scenario is a file under Scenarios/ that tests one requirement. A
      model runs in virtual time; a program that a system file describes, or one
      that somebody else started, on the wall clock within the budget.

      Exit status: 0 every must held; 1 one did not; 69 the system cannot be
      started.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The system under test: models (all of ours), model:ROLE, model:ROLE+FAULT, FILE.yaml, udp://HOST:PORT?role=host.",
      valueName: "system"))
  var sut = EveryModel.name

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "A protocol file, or the name of one of Scenarios/protocols: its streams and its header are judged too. May be repeated.",
      valueName: "file"))
  var protocols: [String] = []

  @OptionGroup(title: "Choosing scenarios") var selection: ScenarioSelection

  @Flag(name: .long, help: "Print the requirements and the scenarios that test each, and run nothing.")
  var list = false

  @Flag(name: .long, help: "Print which cases would run, and run nothing.")
  var dryRun = false

  @Flag(name: .long, help: "A should that fails, fails the suite too.")
  var strict = false

  @Option(name: .long, help: ArgumentHelp("Run each combination with seeds 1 to this.", valueName: "count"))
  var seeds: Int?

  @Option(name: .long, help: ArgumentHelp("How many cases run at the same time.", valueName: "count"))
  var jobs = 1

  @OptionGroup var time: BudgetOption

  @OptionGroup(title: "One case") var one: CaseOptions

  @OptionGroup(title: "Reports") var reports: ReportOptions

  @OptionGroup var format: FormatOption

  func validate() throws {
    if let seeds, !(1...100_000).contains(seeds) { throw ValidationError("--seeds is 1 to 100000") }
    if !(1...256).contains(jobs) { throw ValidationError("--jobs is 1 to 256") }
  }

  func run() async throws {
    let all = try ScenarioFolder(selection.scenarios).read() + Loaded.suites.all.flatMap(\.scenarios)
    if list { return try RequirementList.print(selection.chosen(all), all, of: Loaded.suites, format.format) }
    let choice = try SystemChoice(sut, Loaded.suites)
    let system = choice.system
    var scenarios = selection.chosen(all).filter { system.parts.contains($0.setup.part) }
    guard !scenarios.isEmpty else {
      throw Failure(.usage, "no scenario that is chosen is for \(system.name)", advice: "see telecap conform --list")
    }
    var leftOut: [ScenarioResult] = []
    if let changed = try one.restrict(scenarios) {
      scenarios = changed
    } else if choice.isOnWallClock {
      let sample = Sample(of: scenarios, within: time.budget.nanoseconds / Int64(max(1, seeds ?? 1)))
      (scenarios, leftOut) = (sample.scenarios, sample.notRun)
    }
    if dryRun { return try printCases(scenarios) }
    try reports.prepare()
    let result = try await judge(scenarios, leftOut, choice)
    if !result.passes(strict: strict) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// Runs the scenarios, and prints and writes how they came out.
  private func judge(
    _ scenarios: [Scenario], _ leftOut: [ScenarioResult], _ choice: SystemChoice
  ) async throws -> SuiteResult {
    let system = choice.system
    var command = ["telecap", "conform", "--sut", sut]
    for name in protocols { command += ["--protocol", name] }
    if let folder = selection.scenarios { command += ["--scenarios", folder] }
    let began = WallClock.now()
    let clock = ContinuousClock()
    let begin = clock.now
    let runner = SuiteRunner(system, seeds: one.seed == nil ? seeds : nil, jobs: choice.isOnWallClock ? 1 : jobs) {
      let (seconds, attoseconds) = (clock.now - begin).components
      return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
    var printer = SuitePrinter(format.format, isTalk: reports.takesStandardOutput)
    let open = SuiteReport(
      SuiteResult(system: system.name, scenarios: []), isStrict: strict, command: command, began: began,
      host: Host.name, tool: Telecap.versionText)
    do {
      let result = try await run(scenarios, with: runner, leftOut) { printer.print($0, open) }
      let report = try await reports.complete(
        open, with: result, system, within: choice.isOnWallClock ? time.budget.nanoseconds : nil)
      await system.close()
      try printer.finish(report)
      try reports.write(report)
      return result
    } catch {
      await system.close()
      throw error
    }
  }

  /// Runs the scenarios, each told of as soon as it is done, and adds those that were left out.
  private func run(
    _ scenarios: [Scenario], with runner: SuiteRunner, _ leftOut: [ScenarioResult],
    _ tell: (ScenarioResult) -> Void
  ) async throws -> SuiteResult {
    var result: SuiteResult
    do {
      result = try await runner.run(scenarios) { tell($0) }
    } catch let error as SystemError {
      throw Failure(.unavailable, error.description)
    } catch is CancellationError {
      // As a shell reports a command that Ctrl-C ended.
      throw ExitCode(130)
    }
    leftOut.forEach(tell)
    result.scenarios = (result.scenarios + leftOut).sorted { $0.scenario.id < $1.scenario.id }
    return result
  }

  private func printCases(_ scenarios: [Scenario]) throws {
    var out = Output()
    for scenario in scenarios {
      for one in scenario.cases(seeds: self.one.seed == nil ? seeds : nil) {
        if format.format == .json {
          var json = JSONWriter()
          json.beginObject()
          json.put("scenario", scenario.id)
          json.put("requirement", scenario.requirement.id)
          json.put("case", one.description)
          json.endObject()
          json.endLine()
          try out.take(&json)
        } else {
          try out.line("\(scenario.id) \(one)")
        }
      }
    }
    try out.flush()
  }
}
