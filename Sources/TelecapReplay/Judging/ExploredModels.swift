import TelecapConformance
import TelecapReport
import TelecapTransport

/// Explores the streams of scenarios against our models: `telecap conform --explore`.
public enum ExploredModels {
  /// Runs every network on the first messages of these scenarios' streams.
  ///
  /// - Parameters:
  ///   - choice: all models, or one of them.
  ///   - print: is called with each result at once.
  /// - Returns: whether all streams were checked and no rule failed.
  /// - Throws: `SystemError`; errors of `print`; `CancellationError` when it was cancelled, after the results so far
  ///   are printed.
  public static func run(
    _ choice: SystemChoice, _ scenarios: [Scenario], messages: Int, in suites: Suites,
    print: (any PrintedResult) throws -> Void
  ) throws -> Bool {
    let one = choice.system as? ModelSystem
    let clock = SystemMonotonicClock()
    var sum = ExplorationSum(messages: messages)
    var explorer = Explorer(messages: messages)
    explorer.isBrokenOff = { [stop = choice.stop] in stop.isRaised }
    do {
      for model in one.map({ [$0.model] }) ?? suites.models {
        try explorer.explore(model, fault: one?.fault, scenarios, clock: clock.now) {
          sum.add($0)
          try print(ExplorationText($0))
        }
      }
    } catch let error as CancellationError {
      sum.isBrokenOff = true
      try print(sum)
      throw error
    }
    try print(sum)
    return sum.isRight
  }
}
