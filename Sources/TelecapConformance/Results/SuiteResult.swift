import TelecapRecording

/// The result of a suite.
public struct SuiteResult: Sendable {
  /// The tested system.
  public var system: String
  /// Every chosen scenario in the order of ids; while the suite runs, the settled ones in the order of settlement. A
  /// result that rests on unconfirmed rules settles when all output is known.
  public var scenarios: [ScenarioResult]
  /// The duration on the wall clock, in ns.
  public var duration: Nanoseconds
  /// The matches of the system file's rules in all output; nil where there are none.
  public var mapping: MappingStatistics?
  /// Whether it was cancelled: cases that had not started are not run.
  public var isBrokenOff = false
  /// Whether a failure ended it early (`SuiteRunner.endsAfter`): cases that had not started are not run.
  public var isEndedByFailure = false
  /// The failure of the system in its check session; nil where it did not fail.
  public var brokeInCheck: String?
  /// Results that are not settled.
  private var open: [ScenarioResult] = []

  /// The result of a suite.
  public init(system: String, scenarios: [ScenarioResult], duration: Nanoseconds = 0) {
    self.system = system
    self.scenarios = scenarios
    self.duration = duration
  }

  /// The result of a suite after the check of the system only.
  public init(system: String, after check: SystemCheck?) {
    self.init(system: system, scenarios: [])
    (mapping, brokeInCheck) = (check?.mapping, check?.broke)
  }

  /// Adds the result of the next scenario, and returns it if it is settled.
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

  /// Settles and returns the remaining results.
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

  /// A suite passes when no `must` is fail or inconclusive and something ran; with `strict` the same applies to
  /// `should` (semantics, Verdicts). Cases that did not run are not passed, so a suite that was cancelled, or ended by a
  /// failure, does not pass.
  public func passes(strict: Bool = false) -> Bool {
    let ran = scenarios.contains { $0.counts[.pass, default: 0] > 0 }
    let bad = scenarios.contains {
      ($0.verdict == .fail || $0.verdict == .inconclusive) && (strict || $0.requirement.level == .must)
    }
    return ran && !bad && !isBrokenOff && !isEndedByFailure
  }
}
