import TelecapRecording

/// Thresholds of a scenario on measures.
extension JudgedRun {
  /// Passes if `measure` is at most `limit`. On the wall clock a time may be longer by the settle time and the send
  /// timing error.
  func threshold(_ measure: Measure, _ limit: Double) -> Outcome {
    guard let value = measure.value(in: measures) else { return .missing("\(measure.rawValue) could not be measured") }
    let allowed = measure.isTime ? limit + Double(log.settle) : limit
    guard value > allowed else { return .held }
    return .broken(
      Failure(
        time: log.end, expected: "\(measure.rawValue) of at most \(measure.text(limit))",
        observed: measure.text(value)))
  }
}
