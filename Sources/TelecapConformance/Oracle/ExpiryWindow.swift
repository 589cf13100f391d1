import TelecapRecording
import TelecapWire

/// The times after the last sign of life from which something may expire, and at which it must have, in ns.
struct LivenessWindow: Sendable {
  let early: Nanoseconds
  let late: Nanoseconds

  /// The window of a timeout in ns. Receivers poll their timers, so they may expire a thirtieth earlier and a third
  /// later, the same in all protocols (semantics, tele.session.timeout: 2.9…4.0 s for 3 s).
  init(timeout: Nanoseconds, settle: Nanoseconds) {
    early = max(0, timeout - timeout / 30 - settle)
    late = timeout + timeout / 3 + settle
  }

  /// Nil where silence does not affect the receiver: it gets no signs of life, or they keep nothing alive.
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

/// The window in which something expires: it is valid before and must have expired after.
struct ExpiryWindow: Hashable, Sendable {
  var earliest: Timestamp
  let latest: Timestamp

  /// The window of something that does not expire.
  static let never = ExpiryWindow(earliest: .never, latest: .never)

  init(earliest: Timestamp, latest: Timestamp) { (self.earliest, self.latest) = (earliest, latest) }

  /// The window after the last sign of life.
  init(after sign: Timestamp, _ life: LivenessWindow) {
    earliest = sign.advanced(byNanoseconds: life.early)
    latest = sign.advanced(byNanoseconds: life.late)
  }
}

extension Timestamp {
  /// A time after all others.
  static let never = Timestamp(nanoseconds: .max)
}
