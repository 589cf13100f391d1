/// A rule on the messages of a system. It is checked in every run of its part, in any scenario, against every sent
/// message (semantics, Requirements).
public struct SenderRule: Sendable {
  /// The requirement.
  public let requirement: Requirement
  /// Whether its verdict depends on the times of messages, not only on their content and order.
  public let restsOnTime: Bool
  /// The outcome of one run; missing where the run did not exercise it.
  public let judge: @Sendable (JudgedRun) -> Outcome

  /// A rule with this check.
  public init(
    _ requirement: Requirement, restsOnTime: Bool = false, judge: @escaping @Sendable (JudgedRun) -> Outcome
  ) {
    self.requirement = requirement
    self.restsOnTime = restsOnTime
    self.judge = judge
  }
}

/// The result of one run for a rule on the system's messages.
public struct SenderCheck: Sendable {
  /// The id of the requirement.
  public let requirement: String
  /// The failures, the first ones in order of time; empty if there were none.
  public let breaches: [Failure]
}

extension JudgedRun {
  /// The results for the rules of its part, without those that were not exercised.
  var senderChecks: [SenderCheck] {
    sent.compactMap { requirement, outcome in
      if outcome.breaches.isEmpty, outcome.missing != nil { return nil }
      return SenderCheck(requirement: requirement, breaches: Array(outcome.breaches.prefix(JudgedRun.told)))
    }
  }

  /// The outcome for the rule of this requirement.
  func sends(_ requirement: String) -> Outcome {
    sent.first { $0.requirement == requirement }?.outcome ?? .missing("a \(part) sends nothing of it")
  }

  /// The maximum number of reported failures in one run.
  static let told = 8
}
