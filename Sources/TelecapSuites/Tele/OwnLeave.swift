import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapText

extension JudgedRun {
  /// A failure from this time on, unless the phone under test had closed its session by then: its user may leave at any time, and a
  /// model does not. Expectations on a session that goes on were not exercised then.
  func broken(_ breach: Breach, at time: Timestamp) -> Outcome {
    guard log.settle > 0, let leave = ownLeave, leave.nanoseconds(since: time) <= log.settle else {
      return .broken(breach)
    }
    let seconds = Numbers.fixed(Double(leave.nanoseconds) / 1e9, 3)
    return .missing("the phone closed its session by BYE at \(seconds) s, and nobody asked it to")
  }

  /// When the phone under test first closed its session, before it was asked to end; nil where it did not.
  private var ownLeave: Timestamp? {
    let time = replies.first { $0.kind == .bye && $0.isValid }?.time
    return time.flatMap { time in log.left.map { time < $0 } ?? true ? time : nil }
  }
}
