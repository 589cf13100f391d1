import TelecapRecording
import TelecapWire

/// How long after the last sign of life something may be over, and when it must be, in ns.
struct LivenessWindow: Sendable {
  let early: Nanoseconds
  let late: Nanoseconds

  /// The borders of a timeout of so many ns. Receivers look at their timers from time to time: they may let go a
  /// thirtieth earlier and a third later, each for all protocols as for TELE (semantics, tele.session.timeout: 2.9…4.0 s for 3 s).
  init(timeout: Nanoseconds, settle: Nanoseconds) {
    early = max(0, timeout - timeout / 30 - settle)
    late = timeout + timeout / 3 + settle
  }

  /// Nil where silence means nothing to the receiver: it hears no signs of life, or they end nothing.
  init?(_ stream: JudgedStream, settle: Nanoseconds) {
    if let silence = stream.rules.silence {
      self.init(timeout: silence, settle: settle)
    } else if stream.rules.inSession, stream.receiver == .client, let timeout = stream.owner.session?.timeout {
      self.init(timeout: timeout, settle: settle)
    } else {
      return nil
    }
  }
}

/// Between which times something ends: before, it goes on; behind, it must be over.
struct ExpiryWindow: Hashable, Sendable {
  var earliest: Timestamp
  let latest: Timestamp

  /// Nothing ends it yet.
  static let never = ExpiryWindow(earliest: .never, latest: .never)

  init(earliest: Timestamp, latest: Timestamp) { (self.earliest, self.latest) = (earliest, latest) }

  /// The end of what was heard of last at `sign`.
  init(after sign: Timestamp, _ life: LivenessWindow) {
    earliest = sign.advanced(byNanoseconds: life.early)
    latest = sign.advanced(byNanoseconds: life.late)
  }
}

extension Timestamp {
  /// Later than all that happens.
  static let never = Timestamp(nanoseconds: .max)
}
