import TelecapRecording

/// Which results of a suite are settled: at once those in which nothing is doubted, the others when all that the program
/// printed is known.
public struct Settlement {
  /// What the rules of the system file made of what the program printed so far; nil where there is none.
  public private(set) var mapping: Mapping?
  /// The results that are settled, in the order in which they were.
  public private(set) var settled: [ScenarioResult] = []
  private var open: [ScenarioResult] = []
  private let brokeInCheck: String?

  /// Nothing has run but the check.
  public init(_ check: SystemCheck?) { (mapping, brokeInCheck) = (check?.mapping, check?.broke) }

  /// The results that are settled, as those of a suite, in this order.
  public func result(
    of system: String, _ order: ([ScenarioResult]) -> [ScenarioResult] = { $0 }, duration: Nanoseconds
  ) -> SuiteResult {
    var result = SuiteResult(system: system, scenarios: order(settled), duration: duration)
    (result.mapping, result.brokeInCheck) = (mapping, brokeInCheck)
    return result
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

  /// All are done: the results that were left.
  public mutating func finish() -> [ScenarioResult] {
    let rest = open.map { settle($0) }
    open = []
    return rest
  }

  private mutating func settle(_ result: ScenarioResult) -> ScenarioResult {
    let known = mapping.map(result.settled) ?? result
    settled.append(known)
    return known
  }
}
