import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapTransport

/// Which of the chosen scenarios run for a system, and which are left out for want of time.
public struct ChosenCases: Sendable {
  /// Those that run, where the system is ready at once.
  public var scenarios: [Scenario] { sample(startup: 0).scenarios }
  /// Those that the budget leaves no time for.
  public var leftOut: [ScenarioResult] { sample(startup: 0).notRun }
  /// Each combination runs with seeds 1 to this; nil for the scenarios' own.
  public let seeds: Int?
  /// How many run at the same time.
  public let jobs: Int
  private let fitting: [Scenario]
  /// Those that need what the system cannot do, by their ids: they are told at once, and take no time.
  private let instant: Set<String>
  private let startsOnce: Bool
  /// How many cases of a program run at the same time unless somebody says. The same on every machine, for how many fit into
  /// a time goes by it.
  private static let sideBySide = 8
  /// What a machine that is slower than planned has beyond the time, at least, in ns: then nothing more begins.
  private static let grace: Nanoseconds = 30_000_000_000
  /// How long all may take, in ns; nil where nothing is left out.
  private let budget: Nanoseconds?

  /// The scenarios for this system's parts, over what it can be spoken to over. Where its runs take their real time, grids are
  /// sampled to fit the budget, unless just one case is asked for.
  ///
  /// - Parameters:
  ///   - seeds: a seed that `one` names is the only one, whatever this says.
  ///   - jobs: how many run at the same time; as many as the system and this machine bear, unless given.
  /// - Throws: `ReplayProblem.noCase` when none is for it, `standsAlone` when its cases cannot run side by side and are to,
  ///   `tooManyCases` when so many seeds give a scenario more than it may have;
  ///   `FieldProblem` when the network of `one` changes fields that there are not.
  public init(
    _ scenarios: [Scenario], for choice: SystemChoice, one: OneCase?, budget: Interval, seeds: Int?, jobs: Int? = nil
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
    self.fitting = try one?.restrict(fitting) ?? fitting
    if let seeds = self.seeds {
      for scenario in self.fitting {
        let cases = scenario.caseCount(seeds: seeds, isOnWallClock: choice.isOnWallClock)
        guard cases <= Scenario.mostCases else {
          throw ReplayProblem.tooManyCases(scenario: scenario.id, cases: cases, seeds: seeds)
        }
      }
    }
    self.budget = one == nil && choice.isOnWallClock ? budget.nanoseconds : nil
    startsOnce = system.startsOnce
    let timed = self.budget == nil ? [] : self.fitting
    instant = Set(
      timed.filter { system.unsupported($0.setup, actions: $0.script(for: Case()).actions) != nil }.map(\.id))
  }

  private func sample(startup: Nanoseconds) -> Sample {
    guard let budget else { return Sample(all: fitting) }
    return Sample(
      of: fitting, within: budget, jobs: jobs, startup: startsOnce ? 0 : startup, seeds: seeds ?? 1
    ) { [instant] in instant.contains($0.id) }
  }

  /// Checks the system, runs them, each told of as soon as it is known how it came out, and adds those that were left out.
  /// What rests on a rule that no line has confirmed yet is told at the end. A system that takes its time to start leaves
  /// time for fewer.
  ///
  /// - Throws: `SystemError` when the system cannot be started; `CancellationError` when somebody broke it off before any ran.
  public func run(against choice: SystemChoice, _ tell: (ScenarioResult) -> Void) async throws -> SuiteResult {
    let clock = SystemMonotonicClock()
    let begin = clock.now()
    var runner = SuiteRunner(
      choice.system, seeds: seeds, jobs: jobs, isOnWallClock: choice.isOnWallClock, clock: clock.now)
    let check = try await choice.system.check()
    runner.isBrokenOff = { [stop = choice.stop] in stop.isRaised }
    runner.budget = budget.map { $0 + max($0 / 4, ChosenCases.grace) - (clock.now() - begin) }
    let sample = sample(startup: check?.startup ?? 0)
    var result = SuiteResult(system: choice.system.name, after: check)
    let ran = try await runner.run(sample.scenarios) { result.take($0).map(tell) }
    (result.finish() + sample.notRun).forEach(tell)
    result.scenarios = (result.scenarios + sample.notRun).sorted { $0.scenario.id < $1.scenario.id }
    (result.duration, result.isBrokenOff) = (ran.duration, ran.isBrokenOff)
    return result
  }
}
