import TelecapConformance
import TelecapImpairment
import TelecapTransport

/// Which of the chosen scenarios run for a system, and which are left out for want of time.
public struct ChosenCases: Sendable {
  /// Those that run.
  public let scenarios: [Scenario]
  /// Those that the budget leaves no time for.
  public let leftOut: [ScenarioResult]
  /// Each combination runs with seeds 1 to this; nil for the scenarios' own.
  public let seeds: Int?

  /// The scenarios for this system's parts, over what it can be spoken to over. Where its runs take their real time, grids are sampled to fit the budget, unless
  /// just one case is asked for.
  ///
  /// - Parameter seeds: a seed that `one` names is the only one, whatever this says.
  /// - Throws: `ReplayProblem.noCase` when none is for it; `FieldProblem` when the network of `one` changes fields that there are not.
  public init(
    _ scenarios: [Scenario], for choice: SystemChoice, one: OneCase?, budget: Interval, seeds: Int?
  ) throws {
    let system = choice.system
    let fitting = scenarios.filter {
      system.parts.contains($0.setup.part) && system.carriers.contains($0.setup.carrier)
    }
    guard !fitting.isEmpty else { throw ReplayProblem.noCase(system: system.name) }
    self.seeds = one?.seed == nil ? seeds : nil
    if let one {
      (self.scenarios, leftOut) = (try one.restrict(fitting), [])
    } else if choice.isOnWallClock {
      let sample = Sample(of: fitting, within: budget.nanoseconds / Int64(max(1, seeds ?? 1)))
      (self.scenarios, leftOut) = (sample.scenarios, sample.notRun)
    } else {
      (self.scenarios, leftOut) = (fitting, [])
    }
  }

  /// Checks the system, runs them, each told of as soon as it is known how it came out, and adds those that were left out.
  /// What rests on a rule that no line has confirmed yet is told at the end.
  ///
  /// - Parameters:
  ///   - jobs: how many run at the same time, where that is possible.
  /// - Throws: `SystemError` when the system cannot be started; `CancellationError` when somebody broke it off.
  public func run(
    against choice: SystemChoice, jobs: Int, _ tell: (ScenarioResult) -> Void
  ) async throws -> SuiteResult {
    let clock = SystemMonotonicClock()
    let runner = SuiteRunner(choice.system, seeds: seeds, jobs: choice.isOnWallClock ? 1 : jobs, clock: clock.now)
    var settlement = Settlement(try await choice.system.check())
    let ran = try await runner.run(scenarios) { settlement.take($0).map(tell) }
    (settlement.finish() + leftOut).forEach(tell)
    return settlement.result(
      of: ran.system, { ($0 + leftOut).sorted { $0.scenario.id < $1.scenario.id } }, duration: ran.duration)
  }
}
