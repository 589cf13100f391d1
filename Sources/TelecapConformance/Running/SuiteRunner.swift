import TelecapRecording

/// Runs scenarios against one system: makes a script of each case, runs it, and tests its log.
public struct SuiteRunner: Sendable {
  /// The system.
  public let system: any SystemUnderTest
  /// The number of seeds for each combination, in place of the scenarios' own.
  public var seeds: Int?
  /// The number of parallel cases.
  public var jobs: Int
  /// Whether runs take real time: then the longest start first; a scenario that keeps the machine busy runs alone, and
  /// so does the repetition of a case that did not pass in parallel.
  public var isOnWallClock: Bool
  /// The time limit on the wall clock in ns, after which no case starts; nil for none.
  public var budget: Nanoseconds?
  /// Whether the suite was cancelled: no case starts any more.
  public var isBrokenOff: @Sendable () -> Bool = { false }
  /// Whether a result ends the suite: the cases that run are finished, and no other starts. Nil runs all.
  public var endsAfter: (@Sendable (ScenarioResult) -> Bool)?
  /// The wall clock in ns, for durations.
  public var clock: @Sendable () -> Nanoseconds

  /// A runner; without a clock all durations are 0.
  public init(
    _ system: any SystemUnderTest, seeds: Int? = nil, jobs: Int = 1, isOnWallClock: Bool = false,
    clock: @escaping @Sendable () -> Nanoseconds = { 0 }
  ) {
    self.system = system
    self.seeds = seeds
    self.jobs = max(1, jobs)
    self.isOnWallClock = isOnWallClock
    self.clock = clock
  }

  /// Runs the scenarios and returns their results in order. A cancelled run returns the complete ones.
  /// - Parameter finished: called with each scenario's result, in order, as soon as it and those before it are
  ///   complete.
  /// - Throws: `SystemError` when the system cannot be started.
  public func run(
    _ scenarios: [Scenario], finished: (ScenarioResult) -> Void = { _ in }
  ) async throws -> SuiteResult {
    let begin = clock()
    let inEveryRun = scenarios.filter { $0.isJudgedInEveryRun && reaches($0) }
    var queue = CaseQueue(
      scenarios, seeds: seeds, jobs: jobs, isOnWallClock: isOnWallClock, budget: budget,
      endingAfter: endsAfter.map { ends in
        { @Sendable result in ends(result) || inEveryRun.contains { ends(ScenarioResult($0, judgedIn: [result])) } }
      })
    var isCut = false
    try await withThrowingTaskGroup(of: (Int, ScenarioResult?).self) { group in
      func start() {
        isCut = isCut || isBrokenOff()
        while !isCut, let portion = queue.next(at: clock() - begin) {
          group.addTask { (portion.number, try await whole(portion.cases, of: scenarios[portion.scenario])) }
        }
      }
      start()
      while let (number, result) = try await group.next() {
        if let result { for done in queue.take(result, of: number) { finished(done) } } else { isCut = true }
        start()
      }
    }
    for left in queue.finish(isBrokenOff: isCut) { finished(left) }
    let driven = queue.results
    let always = inEveryRun.map { SuiteRunner.result(of: $0, in: driven, isEnded: queue.isEnded) }
    always.forEach(finished)
    var result = SuiteResult(system: system.name, scenarios: driven + always, duration: clock() - begin)
    (result.isBrokenOff, result.isEndedByFailure) = (isCut, queue.isEnded)
    return result
  }

  /// The result of a scenario that is checked in every run. It has not passed if the suite ended before all runs.
  private static func result(of scenario: Scenario, in driven: [ScenarioResult], isEnded: Bool) -> ScenarioResult {
    var result = ScenarioResult(scenario, judgedIn: driven)
    if isEnded, result.verdict == .pass {
      result.add(CaseResult(of: Case(), .notRun, reason: CaseQueue.endedReason))
    }
    return result
  }

  /// Whether the system has the scenario's part and transport.
  private func reaches(_ scenario: Scenario) -> Bool {
    system.parts.contains(scenario.setup.part) && system.carriers.contains(scenario.setup.carrier)
  }

  /// Nil where it was cancelled.
  private func whole(_ cases: ArraySlice<Case>, of scenario: Scenario) async throws -> ScenarioResult? {
    do {
      return try await run(cases, of: scenario)
    } catch is CancellationError {
      return nil
    }
  }

  private func run(_ cases: ArraySlice<Case>, of scenario: Scenario) async throws -> ScenarioResult {
    var result: ScenarioResult?
    for one in cases {
      if isBrokenOff() { throw CancellationError() }
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
