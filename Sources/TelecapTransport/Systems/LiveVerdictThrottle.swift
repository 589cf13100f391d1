import TelecapConformance
import TelecapPlatform
import TelecapRecording

/// Functions that read the log of a relayed program at run time.
public struct RelayGlance: Sendable {
  /// Whether a read is requested now.
  let isWanted: @Sendable () -> Bool
  /// Handles the log so far, in its own task.
  let take: @Sendable (RunLog, Setup) -> Void

  /// Reads when `isWanted` returns true, some time after the last read was handled.
  public init(isWanted: @escaping @Sendable () -> Bool, take: @escaping @Sendable (RunLog, Setup) -> Void) {
    (self.isWanted, self.take) = (isWanted, take)
  }
}

/// Limits reads of a log: one at a time, at intervals of at least a second, and for at most a fifth of the time, for
/// logs of any length.
struct LiveVerdictThrottle {
  private let glance: RelayGlance?
  private let setup: Setup
  private var look: Task<Void, Never>?
  /// The earliest time of the next read; nil during a read.
  private let next: Locked<Nanoseconds?>
  private let clock: any MonotonicClock

  init(_ glance: RelayGlance?, _ setup: Setup, by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    (self.glance, self.setup, self.clock) = (glance, setup, clock)
    next = Locked(clock.now())
  }

  /// Passes on the log if a read is requested and allowed.
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

  /// Waits for the current read.
  func end() async { await look?.value }
}
