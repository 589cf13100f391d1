import TelecapConformance
import TelecapRecording

extension JudgedRun {
  /// A failure from this time on, unless the phone under test had closed its session by then: its user may leave at any time, and a
  /// model does not. Expectations on a session that goes on were not exercised then.
  func broken(_ breach: Failure, at time: Timestamp) -> Outcome {
    guard let leave = leftByItself, leave.time.nanoseconds(since: time) <= log.settle else { return .broken(breach) }
    return .missing(leave.reason)
  }
}
