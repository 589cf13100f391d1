import TelecapModels
import TelecapRecording

/// Values of the session before, which a receiver may show after the next session has begun: on the wall clock it takes
/// time to show them, and one datagram or TCP segment may hold a value and then the request for a session.
extension StreamOracle {
  /// Keeps the session that ends now for its settle time. Nothing that it lacks is a failure from now on.
  mutating func keepSessionBefore(at now: Timestamp) {
    if now > sessionBeforeEnds { sessionsBefore = [] }
    let mayStillShow = settle > 0 ? !states.isEmpty : !settling.isEmpty
    guard mayStillShow else { return }
    sessionsBefore = [self]
    sessionBeforeEnds = now.advanced(byNanoseconds: settle)
  }

  /// Whether a shown value is wrong in this session and right in one before it, which then has shown it.
  mutating func isOfSessionBefore(at now: Timestamp, _ checks: inout CheckList) -> Bool {
    guard now <= sessionBeforeEnds else {
      sessionsBefore = []
      return false
    }
    var (trial, seen) = (self, checks)
    trial.sessionsBefore = []
    trial.judgeShown(at: now, &seen)
    guard seen.broken > checks.broken else { return false }
    (trial, seen) = (sessionsBefore[0], checks)
    trial.shown = shown
    if trial.sessionsBefore.isEmpty || !trial.isOfSessionBefore(at: now, &seen) { trial.judgeShown(at: now, &seen) }
    guard seen.broken == checks.broken else { return false }
    (sessionsBefore[0], checks) = (trial, seen)
    return true
  }
}
