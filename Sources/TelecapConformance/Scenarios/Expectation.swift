/// One entry of a scenario's `expect`: what must hold over a run.
public protocol Expectation: Sendable {
  /// How it came out.
  func judge(_ run: JudgedRun) -> Outcome
}

/// What every suite's scenarios may expect.
public enum WireExpectation: Hashable, Sendable {
  /// What the oracle says of the requirement of this id: the states that the rules allow, computed from what was delivered.
  case stream(String)
  /// No requirement on streams that the system shows anything of is broken.
  case everyStream
  /// The rule of this requirement on what the system sends.
  case sends(String)
  /// Every step got the answer that it names.
  case answers
  /// What is measured is no more than this, in the measure's unit.
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
