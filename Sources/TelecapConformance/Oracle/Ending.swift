import TelecapRecording
import TelecapWire

/// How long after the last sign of life a stream may be over, and when it must be, in ns.
struct Life: Sendable {
  let early: Nanoseconds
  let late: Nanoseconds

  /// Nil where silence means nothing to the receiver: it hears no signs of life, or they end nothing.
  init?(_ stream: JudgedStream, settle: Nanoseconds) {
    if let silence = stream.rules.silence {
      (early, late) = (silence - settle, silence + settle)
    } else if stream.rules.inSession, stream.receiver == .client, let timeout = stream.owner.session?.timeout {
      // Whoever lets go between these two ages is right (semantics, tele.session.timeout: 2.9…4.0 s for 3 s).
      (early, late) = (timeout - 100_000_000, timeout + 1_000_000_000 + settle)
    } else {
      return nil
    }
  }
}

/// Between which times something ends: before, it goes on; behind, it must be over.
struct Ending: Hashable, Sendable {
  var earliest: Timestamp
  let latest: Timestamp

  /// Nothing ends it yet.
  static let never = Ending(earliest: .never, latest: .never)

  init(earliest: Timestamp, latest: Timestamp) { (self.earliest, self.latest) = (earliest, latest) }

  /// The end of what was heard of last at `sign`.
  init(after sign: Timestamp, _ life: Life) {
    earliest = sign.advanced(byNanoseconds: life.early)
    latest = sign.advanced(byNanoseconds: life.late)
  }
}

extension Timestamp {
  /// Later than all that happens.
  static let never = Timestamp(nanoseconds: .max)
}
