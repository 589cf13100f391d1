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

  /// The window of a stream's values without its messages; nil where the declaration has no such time.
  init?(silenceOf stream: JudgedStream, settle: Nanoseconds) {
    guard let silence = stream.rules.silence else { return nil }
    self.init(timeout: silence, settle: settle)
  }

  /// The window of the session without which a client applies no message of a stream; nil where there is none.
  init?(sessionOf stream: JudgedStream, settle: Nanoseconds) {
    guard stream.isOfOwnSession, let timeout = stream.owner.session?.timeout else { return nil }
    self.init(timeout: timeout, settle: settle)
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
