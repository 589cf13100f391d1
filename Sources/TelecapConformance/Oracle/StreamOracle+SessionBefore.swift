import TelecapModels
import TelecapRecording

/// Values of the sessions before, which a receiver may show after the next session has begun: on the wall clock it takes
/// time to show them, and one datagram or TCP segment may hold a value and then the request for a session.
extension StreamOracle {
  /// The most sessions that are kept. A payload may request thousands: then any value may be one of theirs.
  private static let mostSessionsBefore = 8

  /// Keeps the session that ends now for its settle time. Nothing that it lacks is a failure from now on.
  mutating func keepSessionBefore(at now: Timestamp) {
    let mayStillShow = settle > 0 ? !states.isEmpty : !settling.isEmpty
    guard mayStillShow else { return }
    var ended = self
    ended.sessionsBefore = []
    ended.mayShowUntil = now.advanced(byNanoseconds: settle)
    sessionsBefore.insert(ended, at: 0)
    guard sessionsBefore.count > StreamOracle.mostSessionsBefore, let forgotten = sessionsBefore.popLast() else {
      return
    }
    anyMayShowUntil = forgotten.mayShowUntil
  }

  /// Whether a shown value is wrong in this session and right in one before it, which then has shown it.
  mutating func isOfSessionBefore(at now: Timestamp, _ checks: inout CheckList) -> Bool {
    sessionsBefore.removeAll { now > $0.mayShowUntil }
    guard !sessionsBefore.isEmpty, judging(shown, at: now, checks) == nil else { return false }
    for index in sessionsBefore.indices {
      guard let (session, seen) = sessionsBefore[index].judging(shown, at: now, checks) else { continue }
      (sessionsBefore[index], checks) = (session, seen)
      return true
    }
    return now <= anyMayShowUntil
  }

  /// The session and the checks after a shown value; nil where it is wrong.
  private func judging(
    _ value: JudgedStream.Shown, at now: Timestamp, _ checks: CheckList
  ) -> (session: StreamOracle, checks: CheckList)? {
    var (session, seen) = (self, checks)
    session.sessionsBefore = []
    session.shown = value
    session.judgeShown(at: now, &seen)
    return seen.broken == checks.broken ? (session, seen) : nil
  }
}
