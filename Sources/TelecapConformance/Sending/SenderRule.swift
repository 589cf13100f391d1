/// A rule on what a system sends. It is judged in every run of its part, whatever the run's scenario is about: every message
/// that a system sends is looked at (semantics, Requirements).
public struct SenderRule: Sendable {
  /// What is required.
  public let requirement: Requirement
  /// It is judged by when messages went, not only by what they hold and in which order.
  public let restsOnTime: Bool
  /// What one run came to; missing where the run did not try it.
  public let judge: @Sendable (JudgedRun) -> Outcome

  /// A rule that is judged like this.
  public init(
    _ requirement: Requirement, restsOnTime: Bool = false, judge: @escaping @Sendable (JudgedRun) -> Outcome
  ) {
    self.requirement = requirement
    self.restsOnTime = restsOnTime
    self.judge = judge
  }
}

/// What one run came to by a rule on what the system sends.
public struct SenderCheck: Sendable {
  /// The id of the requirement.
  public let requirement: String
  /// How it was broken, the first time first; empty where it was kept.
  public let breaches: [Failure]
}

extension JudgedRun {
  /// What the run came to by the rules of its part; those that it did not try are left out.
  var senderChecks: [SenderCheck] {
    sent.compactMap { requirement, outcome in
      if outcome.breaches.isEmpty, outcome.missing != nil { return nil }
      return SenderCheck(requirement: requirement, breaches: Array(outcome.breaches.prefix(JudgedRun.told)))
    }
  }

  /// What it came to by the rule of this requirement.
  func sends(_ requirement: String) -> Outcome {
    sent.first { $0.requirement == requirement }?.outcome ?? .missing("a \(part) sends nothing of it")
  }

  /// How many breaches of one run are told.
  static let told = 8
}
