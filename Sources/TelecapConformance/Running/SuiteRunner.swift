import TelecapRecording

/// Runs scenarios against one system: each case is made into a script, carried out, and judged by its log.
public struct SuiteRunner: Sendable {
  /// The system.
  public let system: any SystemUnderTest
  /// How many seeds each combination is run with, in place of what the scenarios say.
  public var seeds: Int?
  /// How many cases run at the same time.
  public var jobs: Int
  /// The wall clock in ns, by which durations are measured.
  public var clock: @Sendable () -> Nanoseconds

  /// A runner; without a clock all durations are 0.
  public init(
    _ system: any SystemUnderTest, seeds: Int? = nil, jobs: Int = 1,
    clock: @escaping @Sendable () -> Nanoseconds = { 0 }
  ) {
    self.system = system
    self.seeds = seeds
    self.jobs = max(1, jobs)
    self.clock = clock
  }

  /// The longest run of cases of one scenario that is done in one go.
  private static let portion = 32

  /// A run of cases of one scenario.
  private struct Portion {
    var scenario: Int
    var cases: ArraySlice<Case>
  }

  /// Runs the scenarios; the results have their order, whatever finished first.
  /// - Parameter finished: called with each scenario's result, in order, as soon as it and those before it are done.
  /// - Throws: `SystemError` when the system cannot be started.
  public func run(
    _ scenarios: [Scenario], finished: (ScenarioResult) -> Void = { _ in }
  ) async throws -> SuiteResult {
    let begin = clock()
    let portions = scenarios.enumerated().flatMap { index, scenario in
      let cases = scenario.cases(seeds: seeds)
      return stride(from: 0, to: cases.count, by: SuiteRunner.portion).map {
        Portion(scenario: index, cases: cases[$0..<min(cases.count, $0 + SuiteRunner.portion)])
      }
    }
    var done: [Int: ScenarioResult] = [:]
    var next = 0
    var results: [ScenarioResult] = []
    /// Takes results in the order of the portions.
    func collect() {
      while let result = done.removeValue(forKey: next) {
        if next > 0, portions[next - 1].scenario == portions[next].scenario, !results.isEmpty {
          results[results.count - 1].merge(result)
        } else {
          results.append(result)
        }
        next += 1
        if next == portions.count || portions[next].scenario != portions[next - 1].scenario, let last = results.last {
          finished(last)
        }
      }
    }
    try await withThrowingTaskGroup(of: (Int, ScenarioResult).self) { group in
      var started = 0
      func start() {
        guard started < portions.count else { return }
        let index = started
        let portion = portions[index]
        started += 1
        group.addTask { (index, try await run(portion.cases, of: scenarios[portion.scenario])) }
      }
      for _ in 0..<jobs { start() }
      while let (index, result) = try await group.next() {
        done[index] = result
        start()
        collect()
      }
    }
    let driven = results
    for scenario in scenarios where scenario.isJudgedInEveryRun && reaches(scenario) {
      let result = ScenarioResult(scenario, judgedIn: driven)
      finished(result)
      results.append(result)
    }
    return SuiteResult(system: system.name, scenarios: results, duration: clock() - begin)
  }

  /// The system plays the scenario's part, and can be spoken to over its carrier.
  private func reaches(_ scenario: Scenario) -> Bool {
    system.parts.contains(scenario.setup.part) && system.carriers.contains(scenario.setup.carrier)
  }

  private func run(_ cases: ArraySlice<Case>, of scenario: Scenario) async throws -> ScenarioResult {
    var result: ScenarioResult?
    for one in cases {
      let outcome = try await run(one, of: scenario)
      if result == nil { result = ScenarioResult(scenario, outcome) } else { result?.add(outcome) }
    }
    return result ?? ScenarioResult(scenario, CaseResult(of: Case(), .notRun, reason: "the scenario has no case"))
  }

  /// Runs one case.
  /// - Throws: `SystemError` when the system cannot be started.
  public func run(_ case: Case, of scenario: Scenario) async throws -> CaseResult {
    let begin = clock()
    guard system.parts.contains(scenario.setup.part) else {
      return CaseResult(of: `case`, .notRun, reason: "\(system.name) is no \(scenario.setup.part)")
    }
    let meant = scenario.script(for: `case`)
    let script = system.code.map(meant.replacingCode) ?? meant
    if let reason = system.unsupported(scenario.setup, actions: script.actions) {
      return CaseResult(of: `case`, .unsupported, reason: reason)
    }
    let log = try await system.run(script)
    var result = Judge.judge(log, script, of: `case`, in: scenario)
    result.duration = clock() - begin
    return result
  }
}
