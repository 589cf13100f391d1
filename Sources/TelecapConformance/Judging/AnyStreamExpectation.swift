/// Passes if none of some stream requirements failed, and at least one was exercised.
struct AnyStreamExpectation: Expectation {
  /// The ids of the requirements.
  let requirements: [String]

  func judge(_ run: JudgedRun) -> Outcome {
    let outcomes = requirements.map { run.stream($0) }
    if let broken = outcomes.first(where: { !$0.breaches.isEmpty }) { return broken }
    return outcomes.first { $0.missing == nil } ?? outcomes.first ?? .held
  }
}
