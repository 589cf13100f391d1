import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// Waits until a system that keeps running has lost the sessions of its last run.
///
/// Without the wait a client is still in its session when the next run begins. It then applies messages that it must not apply before
/// the host accepts it. A host with a limited number of sessions, and without a message that ends one, rejects the next client.
final class SessionExpiry: Sendable {
  /// The longest timeout that is waited for, in ns.
  private static let longest: Nanoseconds = 60_000_000_000
  /// The time between two looks at the stop flag, in ns.
  private static let slice: Nanoseconds = 20_000_000

  /// The time in ns from the end of a run until its sessions have expired; 0 if no session outlasts a run.
  let time: Nanoseconds
  private let clock: any MonotonicClock
  private let stop: StopFlag
  /// The end of the last run, on the clock in ns; nil before it.
  private let end = Locked<Nanoseconds?>(nil)

  /// For a system with this part.
  init(of part: Part, by clock: any MonotonicClock, stop: StopFlag) {
    (time, self.clock, self.stop) = (SessionExpiry.time(of: part), clock, stop)
  }

  /// The time in ns from the end of a run of a part.
  static func time(of part: Part) -> Nanoseconds {
    guard let role = part.role, let rules = role.owner.session, let timeout = rules.timeout, timeout <= longest,
      role.side == .client || rules.closing == nil && role.owner.asking?.isLimited == true
    else { return 0 }
    // As in verdicts, a peer may notice the loss a third later.
    return timeout + timeout / 3 + WallClockRun.settle
  }

  /// Call it at the end of each run.
  func begin() { end.with { $0 = clock.now() } }

  /// Waits until the sessions have expired, or the user stops the suite. Does not wait before the first run.
  func wait() async {
    guard let end = end.with({ $0 }) else { return }
    while !stop.isRaised {
      let rest = end &+ time &- clock.now()
      guard rest > 0 else { return }
      await clock.wait(for: min(rest, SessionExpiry.slice))
    }
  }
}

extension SessionRules.Asking {
  /// Whether a host may reject a client because others have all sessions.
  fileprivate var isLimited: Bool { clients != nil || rejects.busy != nil }
}
