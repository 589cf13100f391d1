import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapTransport

/// The chosen scenarios that run for a system, and those that are skipped for lack of time.
public struct ChosenCases: Sendable {
  /// The scenarios that run, if the system is ready at once.
  public var scenarios: [Scenario] { sample(startup: 0).scenarios }
  /// The scenarios without time in the budget.
  public var leftOut: [ScenarioResult] { sample(startup: 0).notRun }
  /// The number of seeds for each combination, from 1; nil for the scenarios' own.
  public let seeds: Int?
  /// The number of parallel cases.
  public let jobs: Int
  /// Whether a result ends the suite early; nil runs all.
  public var endsAfter: (@Sendable (ScenarioResult) -> Bool)?
  /// A note about the choice of failed cases; nil where it was not requested.
  public let note: String?
  private let fitting: [Scenario]
  /// The ids of scenarios that the system does not support: they take no time, and their results are reported at once.
  private let instant: Set<String>
  private let pauseBetweenRuns: Nanoseconds?
  /// The default number of parallel cases of a program. It is the same on every machine, since it determines which
  /// cases fit into a time limit.
  private static let sideBySide = 8
  /// The minimum extra time of a machine that is slower than planned, in ns; after it no case starts.
  private static let grace: Nanoseconds = 30_000_000_000
  /// The time limit in ns; nil where no scenario is skipped.
  private let budget: Nanoseconds?

  /// The scenarios for this system's parts and transports. Where runs take real time, grids are sampled to fit the
  /// budget, unless one case is requested.
  ///
  /// - Parameters:
  ///   - seeds: the number of seeds, unless `one` names a seed.
  ///   - jobs: the number of parallel cases; by default the maximum for the system and this machine.
  ///   - failed: the failures of the last run, to run only these, whatever time they take; nil to run all.
  /// - Throws: `ReplayProblem.noCase` when none is for it, `standsAlone` when its cases must run in parallel and
  ///   cannot, `tooManyCases` when a scenario exceeds its maximum number of cases; `FieldProblem` when the network of
  ///   `one` changes unknown fields.
  public init(
    _ scenarios: [Scenario], for choice: SystemChoice, one: OneCase?, budget: Interval, seeds: Int?, jobs: Int? = nil,
    failed: LastFailedFile? = nil
  ) throws {
    let system = choice.system
    let fitting = scenarios.filter {
      system.parts.contains($0.setup.part) && system.carriers.contains($0.setup.carrier)
    }
    guard !fitting.isEmpty else { throw ReplayProblem.noCase(system: system.name) }
    if let jobs, jobs > 1, let reason = system.standsAlone {
      throw ReplayProblem.standsAlone(system: system.name, reason: reason)
    }
    let isAlone = !choice.isOnWallClock || system.standsAlone != nil
    self.jobs = jobs ?? (isAlone ? 1 : ChosenCases.sideBySide)
    self.seeds = one?.seed == nil ? seeds : nil
    let again = failed.map { LastFailedChoice(of: fitting, by: $0) }
    note = again?.note
    self.fitting = try again?.scenarios ?? one?.restrict(fitting) ?? fitting
    if let seeds = self.seeds {
      for scenario in self.fitting {
        let cases = scenario.caseCount(seeds: seeds, isOnWallClock: choice.isOnWallClock)
        guard cases <= Scenario.mostCases else {
          throw ReplayProblem.tooManyCases(scenario: scenario.id, cases: cases, seeds: seeds)
        }
      }
    }
    let isSampled = one == nil && again?.isRestricted != true
    self.budget = isSampled && choice.isOnWallClock ? budget.nanoseconds : nil
    pauseBetweenRuns = system.pauseBetweenRuns
    let timed = self.budget == nil ? [] : self.fitting
    instant = Set(
      timed.filter { system.unsupported($0.setup, actions: $0.script(for: Case()).actions) != nil }.map(\.id))
  }

  private func sample(startup: Nanoseconds) -> Sample {
    guard let budget else { return Sample(all: fitting) }
    return Sample(
      of: fitting, within: budget, jobs: jobs, startup: pauseBetweenRuns ?? startup,
      seeds: seeds ?? 1
    ) { [instant] in instant.contains($0.id) }
  }

  /// Checks the system, runs the cases, reports each scenario as soon as its result is settled, and adds the skipped
  /// ones. A result that rests on an unconfirmed rule is reported at the end. A system that starts slowly leaves time
  /// for fewer.
  ///
  /// - Throws: `SystemError` when the system cannot be started; `CancellationError` when a person cancelled it before
  ///   any ran.
  public func run(against choice: SystemChoice, _ tell: (ScenarioResult) -> Void) async throws -> SuiteResult {
    let clock = SystemMonotonicClock()
    let begin = clock.now()
    var runner = SuiteRunner(
      choice.system, seeds: seeds, jobs: jobs, isOnWallClock: choice.isOnWallClock, clock: clock.now)
    let check = try await choice.system.check()
    runner.isBrokenOff = { [stop = choice.stop] in stop.isRaised }
    runner.endsAfter = endsAfter
    runner.budget = budget.map { $0 + max($0 / 4, ChosenCases.grace) - (clock.now() - begin) }
    let sample = sample(startup: check?.startup ?? 0)
    var result = SuiteResult(system: choice.system.name, after: check)
    let ran = try await runner.run(sample.scenarios) { result.take($0).map(tell) }
    (result.finish() + sample.notRun).forEach(tell)
    result.scenarios = (result.scenarios + sample.notRun).sorted { $0.scenario.id < $1.scenario.id }
    (result.duration, result.isBrokenOff) = (ran.duration, ran.isBrokenOff)
    result.isEndedByFailure = ran.isEndedByFailure
    return result
  }
}
