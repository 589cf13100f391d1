/// One entry of a scenario's `expect`: a condition on a run.
public protocol Expectation: Sendable {
  /// Returns its outcome for a run.
  func judge(_ run: JudgedRun) -> Outcome
}

/// The expectations that any suite's scenarios may use.
public enum WireExpectation: Hashable, Sendable {
  /// The outcome of the stream requirement of this id: only states that the rules allow for the deliveries.
  case stream(String)
  /// No requirement on streams with observable values fails.
  case everyStream
  /// The rule of this requirement on the messages of the system.
  case sends(String)
  /// Every step got the answer that it names.
  case answers
  /// A measure is at most this value, in its unit.
  case atMost(Measure, Double)
}

extension WireExpectation: Expectation {
  public func judge(_ run: JudgedRun) -> Outcome {
    switch self {
    case .stream(let requirement): run.stream(requirement)
    case .everyStream: run.everyStream()
    case .sends(let requirement): run.sends(requirement)
    case .answers: run.answers()
    case .atMost(let measure, let limit): run.threshold(measure, limit)
    }
  }
}
