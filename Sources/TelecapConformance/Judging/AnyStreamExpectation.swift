/// None of some requirements on streams is broken, and one of them was tried.
struct AnyStreamExpectation: Expectation {
  /// Their ids.
  let requirements: [String]

  func judge(_ run: JudgedRun) -> Outcome {
    let outcomes = requirements.map { run.stream($0) }
    if let broken = outcomes.first(where: { !$0.breaches.isEmpty }) { return broken }
    return outcomes.first { $0.missing == nil } ?? outcomes.first ?? .held
  }
}
