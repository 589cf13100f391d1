import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapTele
import TelecapTransport

/// `replay --to FILE.yaml`, `--to udp://…`: a recording is sent to a system under test, which is judged as `conform` does.
struct JudgedReplay {
  /// What `--to` names.
  let text: String
  let feeder: UnitFeeder
  let survey: Survey
  let rewriting: Rewriting
  let reports: ReportOptions
  let options: SendingOptions

  private var receiver: Role { feeder.source.role.receiver }

  /// How long shrinking may take, in ns.
  private static let shrinkingTime: Int64 = 180_000_000_000

  /// Runs the system once, prints and writes how each requirement came out.
  func run() async throws {
    let system = try SystemChoice(text, Loaded.suites).system
    guard system.parts.contains(Part(receiver)) else {
      throw Failure(
        .usage,
        "what a \(feeder.source.role.rawValue) sends is for a \(receiver.rawValue), which \(system.name) is not",
        advice: "choose the sender with --as")
    }
    let (recorded, fed) = try read()
    let setup = recorded.setup(for: receiver, code: rewriting.code.map { String(decoding: $0, as: UTF8.self) })
    let scenarios = recorded.scenarios(of: feeder.source.name, setup, wait: options.wait, in: Loaded.suites)
    guard let first = scenarios.first, let one = first.cases().first else {
      throw Failure(.usage, "a \(receiver.rawValue) receives no stream that could be judged")
    }
    let script = first.script(for: one)
    if let reason = system.unsupported(setup, actions: script.actions) {
      throw Failure(.usage, "\(system.name) cannot take this recording: \(reason)")
    }
    tell(fed, recorded)
    try reports.prepare()
    let result = try await judge(scenarios, script, system)
    if let damage = fed.damage { throw damage }
    if result.fails { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func read() throws -> (RecordedStimulus, UnitFeeder.Fed) {
    var recorded = RecordedStimulus(
      feeder.header, to: receiver, flows: survey.reading.flows, ports: feeder.source.ports)
    var rewriter = rewriting.isNeeded ? MessageRewriter(rewriting) : nil
    let fed = try feeder.feed(&recorded, &rewriter)
    return (recorded, fed)
  }

  private func tell(_ fed: UnitFeeder.Fed, _ recorded: RecordedStimulus) {
    Console.say("plan \(fed.planDigest?.description ?? "?"), seed \(feeder.header.seed)")
    for rate in fed.rates.account(of: feeder.header.impairments) { Console.say("  \(rate)") }
    if recorded.leftOut > 0 { Console.say("beacons left out: \(recorded.leftOut)") }
  }

  private func judge(
    _ scenarios: [Scenario], _ script: Script, _ system: any SystemUnderTest
  ) async throws -> SuiteResult {
    var printer = SuitePrinter(options.format.format, isTalk: reports.takesStandardOutput)
    var open = SuiteReport(
      SuiteResult(system: system.name, scenarios: []), command: command, began: WallClock.now(), host: Host.name,
      tool: Telecap.versionText)
    open.repeatsWhole = true
    do {
      let begin = SystemMonotonicClock().now()
      let log = try await system.run(script)
      let results = Judge.judge(log, script, for: scenarios)
      for scenario in results { printer.print(scenario, open) }
      tellUnjudged(scenarios, results)
      let result = SuiteResult(
        system: system.name, scenarios: results, duration: SystemMonotonicClock().now() - begin)
      let report = try await reports.complete(open, with: result, system, within: JudgedReplay.shrinkingTime)
      await system.close()
      try printer.finish(report)
      try reports.write(report)
      return result
    } catch {
      await system.close()
      if let error = error as? SystemError { throw Failure(.unavailable, error.description) }
      // As a shell reports a command that Ctrl-C ended.
      if error is CancellationError { throw ExitCode(130) }
      throw error
    }
  }

  private func tellUnjudged(_ scenarios: [Scenario], _ results: [ScenarioResult]) {
    let judged = Set(results.map(\.scenario.id))
    let others = scenarios.map(\.id).filter { !judged.contains($0) }
    if others.isEmpty { return }
    Console.say("not judged: not tried, or not shown by the system: \(others.joined(separator: ", "))")
  }

  /// The command line that does the same again.
  private var command: [String] {
    let words = ["telecap"] + CommandLine.arguments.dropFirst()
    let isSeeded = options.impairments.network.seed != nil || feeder.planPath != nil
    return isSeeded ? words : words + ["--seed", "\(feeder.header.seed)"]
  }
}

extension SuiteResult {
  /// A must failed, or nothing at all could be judged.
  fileprivate var fails: Bool {
    scenarios.contains { $0.verdict == .fail && $0.requirement.level == .must }
      || scenarios.allSatisfy { $0.verdict == .inconclusive }
  }
}
