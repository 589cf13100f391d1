import TelecapRecording

/// How a whole suite came out.
public struct SuiteResult: Sendable {
  /// The system that was judged.
  public var system: String
  /// Every scenario that was chosen, in the order of their ids; while the suite runs, those whose results are settled, in the order
  /// in which they were. A result that rests on a rule which no line has confirmed yet waits until all that the program printed is
  /// known.
  public var scenarios: [ScenarioResult]
  /// How long it took on the wall clock, in ns.
  public var duration: Nanoseconds
  /// What the rules of the system file made of all that the program printed; nil where there is none.
  public var mapping: MappingStatistics?
  /// Somebody broke it off: what had not run by then is not run.
  public var isBrokenOff = false
  /// How the system broke in the session by which it was checked; nil where it did not.
  public var brokeInCheck: String?
  /// The results that wait.
  private var open: [ScenarioResult] = []

  /// The result of a suite.
  public init(system: String, scenarios: [ScenarioResult], duration: Nanoseconds = 0) {
    self.system = system
    self.scenarios = scenarios
    self.duration = duration
  }

  /// A suite of which nothing has run but the check of the system.
  public init(system: String, after check: SystemCheck?) {
    self.init(system: system, scenarios: [])
    (mapping, brokeInCheck) = (check?.mapping, check?.broke)
  }

  /// The next scenario is done: its result, where it is settled.
  public mutating func take(_ result: ScenarioResult) -> ScenarioResult? {
    if let new = result.mapping {
      if mapping == nil { mapping = new } else { mapping?.merge(new) }
    }
    if let mapping, !result.doubts.isDisjoint(with: mapping.idle) {
      open.append(result)
      return nil
    }
    return settle(result)
  }

  /// All are done: the results that waited.
  public mutating func finish() -> [ScenarioResult] {
    let rest = open.map { settle($0) }
    open = []
    return rest
  }

  private mutating func settle(_ result: ScenarioResult) -> ScenarioResult {
    let known = mapping.map(result.settled) ?? result
    scenarios.append(known)
    return known
  }

  /// A suite passes when no `must` is fail or inconclusive and something ran; with `strict` the same goes for `should`
  /// (semantics, Verdicts). Nothing that was not executed counts as passed, and so no suite that was broken off.
  public func passes(strict: Bool = false) -> Bool {
    let ran = scenarios.contains { $0.counts[.pass, default: 0] > 0 }
    let bad = scenarios.contains {
      ($0.verdict == .fail || $0.verdict == .inconclusive) && (strict || $0.requirement.level == .must)
    }
    return ran && !bad && !isBrokenOff
  }
}
