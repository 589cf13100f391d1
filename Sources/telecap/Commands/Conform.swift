import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport

/// `telecap conform`: does a system do what the protocols require?
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge a host, phone, mouse or mouse host against the requirements.",
    discussion: """
      Examples:
        telecap conform --sut model:phone
        telecap conform --sut model:phone+no-clamp --only 'tele.haptic.*'
        telecap conform --sut my-host.yaml --budget 5m
        telecap conform --sut 'udp://127.0.0.1:50000?role=host&code=ABC123'
        telecap conform --list

      Each scenario is a file under Scenarios/ that tests one requirement. A model runs in virtual time, a program that
      a system file describes, or one that somebody else started, on the wall clock within the budget. Exit status: 0
      every must held; 1 one did not; 69 the system cannot be started.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The system under test: model:ROLE, model:ROLE+FAULT, a system file, or udp://HOST:PORT?role=host.",
      valueName: "system"))
  var sut: String?

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

  @OptionGroup var format: FormatOption

  func validate() throws {
    if !list, sut == nil { throw ValidationError("name the system with --sut, such as --sut model:phone; or --list") }
    if let seeds, !(1...100_000).contains(seeds) { throw ValidationError("--seeds is 1 to 100000") }
    if !(1...256).contains(jobs) { throw ValidationError("--jobs is 1 to 256") }
  }

  func run() async throws {
    let all = try ScenarioFolder(selection.scenarios).read()
    if list { return try RequirementList.print(selection.chosen(all), all, format.format) }
    let choice = try SystemChoice(sut ?? "")
    let system = choice.system
    var scenarios = selection.chosen(all).filter { $0.setup.role == system.role }
    guard !scenarios.isEmpty else {
      throw Failure(.usage, "no scenario for a \(system.role.rawValue) is chosen", advice: "see telecap conform --list")
    }
    var leftOut: [ScenarioResult] = []
    if let changed = try one.restrict(scenarios) {
      scenarios = changed
    } else if choice.isOnWallClock {
      let sample = Sample(of: scenarios, within: time.budget.nanoseconds)
      (scenarios, leftOut) = (sample.scenarios, sample.notRun)
    }
    if dryRun { return try printCases(scenarios) }
    let report = SuitePrinter(format.format, system: sut ?? "", style: Console.style(for: 1))
    var out = Output()
    let clock = ContinuousClock()
    let begin = clock.now
    let runner = SuiteRunner(system, seeds: one.seed == nil ? seeds : nil, jobs: choice.isOnWallClock ? 1 : jobs) {
      let (seconds, attoseconds) = (clock.now - begin).components
      return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
    let result = try await run(scenarios, with: runner, leftOut) { result in
      for line in report.lines(result) { try out.line(line) }
      try out.flush()
    }
    for line in report.end(result, strict: strict) { try out.line(line) }
    try out.flush()
    if !result.passes(strict: strict) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// Runs the scenarios, each told of as soon as it is done, and leaves no program behind.
  private func run(
    _ scenarios: [Scenario], with runner: SuiteRunner, _ leftOut: [ScenarioResult],
    _ tell: (ScenarioResult) throws -> Void
  ) async throws -> SuiteResult {
    var failure: (any Error)?
    var result: SuiteResult?
    do {
      result = try await runner.run(scenarios) { finished in
        do { try tell(finished) } catch { failure = failure ?? error }
      }
    } catch let error as SystemError {
      failure = Failure(.unavailable, error.description)
    } catch is CancellationError {
      // As a shell reports a command that Ctrl-C ended.
      failure = ExitCode(130)
    }
    await runner.system.close()
    guard var result, failure == nil else { throw failure ?? Failure(.unavailable, "the suite did not run") }
    for scenario in leftOut { try tell(scenario) }
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
