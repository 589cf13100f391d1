import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTransport
import TelecapWire

/// A recording that is sent to a system under test, and the scenarios that test it.
public struct JudgedReplay {
  /// The system under test.
  public let system: any SystemUnderTest
  /// The packets to send.
  public let recorded: RecordedStimulus
  /// The result of reading the recording.
  public let fed: UnitFeeder.Fed
  /// The scenarios; one run serves all of them.
  public let scenarios: [Scenario]
  private let script: Script

  /// Reads the recording, and checks that the system supports it.
  ///
  /// - Parameters:
  ///   - wait: the time after the last packet in which the system is observed.
  ///   - delaysAll: whether unimpaired packets get the network's constant delay too.
  /// - Throws: `ReplayProblem`; errors of reading.
  public init(_ run: ReplayRun, to system: any SystemUnderTest, wait: Interval, delaysAll: Bool = false) throws {
    let source = run.feeder.source
    let receiver = source.role.receiver
    guard system.parts.contains(Part(receiver)) else {
      throw ReplayProblem.otherSystem(sender: source.role, system: system.name)
    }
    let code = run.rewriting.code.map { String(decoding: $0, as: UTF8.self) }
    if let code, let own = system.code {
      throw ReplayProblem.otherCode(code, system: system.name, takes: own)
    }
    var recorded = RecordedStimulus(
      run.feeder.header, to: receiver, flows: run.survey.reading.flows, ports: source.ports,
      changer: run.feeder.changer)
    var rewriter = run.rewriting.isNeeded ? MessageRewriter(run.rewriting) : nil
    fed = try run.feeder.feed(&recorded, &rewriter)
    if delaysAll, let delay = run.feeder.header.impairments[Delay.self] {
      let suffers = run.feeder.selection
      recorded.delay(by: delay.base.nanoseconds) { !suffers($0) }
    }
    let setup = recorded.setup(code: code)
    scenarios = recorded.scenarios(of: source.name, setup, wait: wait, in: run.suites)
    guard let first = scenarios.first, let one = first.cases().first else {
      throw ReplayProblem.nothingToJudge(receiver)
    }
    script = first.script(for: one)
    if let reason = system.unsupported(setup, actions: script.actions) {
      throw ReplayProblem.cannotTake(system: system.name, reason: reason)
    }
    (self.system, self.recorded) = (system, recorded)
  }

  /// Runs the system for a part of the recording, from `start` on, with no packets before.
  ///
  /// - Parameters:
  ///   - end: the time at which it is asked to exit; nil where it stays to the end.
  ///   - length: the minimum end of the run where it stays.
  /// - Throws: the errors of `run`.
  public func log(
    from start: Timestamp, until end: Timestamp?, notBefore length: Timestamp
  ) async throws -> RunLog {
    var script = script
    func isWithin(_ action: Action) -> Bool { action.time >= start && end.map { action.time <= $0 } ?? true }
    script.actions.removeAll { !isWithin($0) }
    script.meant.removeAll { !isWithin($0) }
    script.setup.leaves = end != nil
    script.end = end ?? max(script.end, length)
    return try await system.run(script)
  }

  /// Runs the system once; returns the result of each requirement.
  ///
  /// - Throws: `SystemError` when the system cannot be started; `CancellationError` when a person cancelled it.
  public func run() async throws -> SuiteResult {
    let clock = SystemMonotonicClock()
    let begin = clock.now()
    var result = SuiteResult(system: system.name, after: try await system.check())
    let log = try await system.run(script)
    for one in Judge.judge(log, script, for: scenarios) { _ = result.take(one) }
    _ = result.finish()
    result.duration = clock.now() - begin
    return result
  }

  /// The requirements without a verdict in `result`: not exercised or not observable.
  public func unjudged(in result: SuiteResult) -> [String] {
    let judged = Set(result.scenarios.map(\.scenario.id))
    return scenarios.map(\.id).filter { !judged.contains($0) }
  }
}

extension SuiteResult {
  /// Whether a replay failed: a `must` did, or nothing could be tested.
  public var failsReplay: Bool {
    scenarios.contains { $0.verdict == .fail && $0.requirement.level == .must }
      || scenarios.allSatisfy { $0.verdict == .inconclusive }
  }
}
