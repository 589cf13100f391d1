import TelecapConformance
import TelecapPlatform
import TelecapRecording

/// Who looks at the log of a relayed program while it runs.
public struct RelayGlance: Sendable {
  /// Whether a look is wanted now.
  let isWanted: @Sendable () -> Bool
  /// Is given the log so far, on a task of its own.
  let take: @Sendable (RunLog, Setup) -> Void

  /// Looks where `isWanted` says so, after a while in which the last look was taken in.
  public init(isWanted: @escaping @Sendable () -> Bool, take: @escaping @Sendable (RunLog, Setup) -> Void) {
    (self.isWanted, self.take) = (isWanted, take)
  }
}

/// Lets somebody look at a log from time to time: one look at once, a second apart or more, and for a fifth of the time at most, however
/// long the log becomes.
struct LiveVerdictThrottle {
  private let glance: RelayGlance?
  private let setup: Setup
  private var look: Task<Void, Never>?
  /// No look goes on; when the next one may begin.
  private let next: Locked<Nanoseconds?>
  private let clock: any MonotonicClock

  init(_ glance: RelayGlance?, _ setup: Setup, by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    (self.glance, self.setup, self.clock) = (glance, setup, clock)
    next = Locked(clock.now())
  }

  /// Shows the log where that is wanted, and the last look is over for long enough.
  mutating func offer(_ log: () -> RunLog) {
    guard let glance, let time = next.with({ $0 }), clock.now() >= time, glance.isWanted() else { return }
    next.with { $0 = nil }
    let log = log()
    look = Task.detached { [next, setup, clock] in
      let began = clock.now()
      glance.take(log, setup)
      let end = clock.now()
      next.with { $0 = end &+ max(1_000_000_000, (end &- began) * 4) }
    }
  }

  /// Waits for the look that goes on.
  func end() async { await look?.value }
}
