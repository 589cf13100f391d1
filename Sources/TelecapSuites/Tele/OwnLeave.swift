import TelecapConformance
import TelecapRecording

extension JudgedRun {
  /// What is wrong from this time on, unless the phone under test had closed its session by then: its user may leave at any time, and
  /// a model does not. What a scenario expects of a session that goes on was not tried then.
  func broken(_ breach: Breach, at time: Timestamp) -> Outcome {
    guard let leave = leftByItself, leave.time.nanoseconds(since: time) <= log.settle else { return .broken(breach) }
    return .missing(leave.reason)
  }
}
