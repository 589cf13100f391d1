import TelecapConformance
import TelecapRecording

extension JudgedRun {
  /// A failure at this time, or an outcome that is not exercised if the phone under test had closed its session by
  /// then: its user may leave at any time, and a model does not.
  func broken(_ breach: Failure, at time: Timestamp) -> Outcome {
    guard let leave = leftByItself, leave.time.nanoseconds(since: time) <= log.settle else { return .broken(breach) }
    return .missing(leave.reason)
  }
}
