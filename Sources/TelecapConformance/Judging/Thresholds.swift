import TelecapRecording

/// Thresholds that a scenario sets on what is measured.
extension JudgedRun {
  /// `measure` is no more than `limit`. On the wall clock a time may be longer by what the system is allowed to take and
  /// by how late the sender was.
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
