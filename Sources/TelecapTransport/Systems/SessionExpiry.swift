import TelecapConformance
import TelecapRecording
import TelecapWire

/// The time after which a client that keeps running has lost the session of its last run: before, it is still in that session when
/// the next run begins, and applies messages that it must not apply before the host accepts it.
enum SessionExpiry {
  /// The longest timeout that is waited for, in ns.
  private static let longest: Nanoseconds = 60_000_000_000

  /// The time in ns from the end of a run; 0 for a host, and where the protocol has no timeout of at most a minute.
  static func time(of part: Part) -> Nanoseconds {
    guard let role = part.role, role.side == .client, let timeout = role.owner.session?.timeout, timeout <= longest
    else { return 0 }
    // As in verdicts, a client may notice the loss a third later.
    return timeout + timeout / 3 + WallClockRun.settle
  }
}
