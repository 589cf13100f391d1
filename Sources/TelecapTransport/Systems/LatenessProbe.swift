import TelecapPlatform
import TelecapRecording

/// Measures how late this machine wakes a sleeping task during a run. The system under test wakes no sooner, and the
/// task that reads its output waits in the same way. A run on a machine that is too busy proves nothing.
struct LatenessProbe {
  /// The worst lateness, and the due time of the current sleep; on the monotonic clock, in ns.
  private struct Naps {
    var worst: Nanoseconds = 0
    var due: Nanoseconds
  }

  private let clock: any MonotonicClock
  private let naps: Locked<Naps>
  private let task: Task<Void, Never>

  /// The duration of each sleep, in ns.
  private static let nap: Nanoseconds = 5_000_000

  /// Starts the measurement. The first sleep counts from here, however late its task starts.
  init(by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    let naps = Locked(Naps(due: clock.now() &+ LatenessProbe.nap))
    (self.clock, self.naps) = (clock, naps)
    task = Task.detached {
      while !Task.isCancelled {
        await clock.wait(for: LatenessProbe.nap)
        naps.with { LatenessProbe.wake(&$0, at: clock.now()) }
      }
    }
  }

  /// Ends the measurement; returns the worst lateness in ns, including the current sleep.
  @discardableResult
  func end() -> Nanoseconds {
    task.cancel()
    return naps.with {
      LatenessProbe.wake(&$0, at: clock.now())
      return $0.worst
    }
  }

  /// The worst lateness of completed sleeps, in ns.
  var worst: Nanoseconds { naps.with { $0.worst } }

  private static func wake(_ naps: inout Naps, at now: Nanoseconds) {
    naps.worst = max(naps.worst, now &- naps.due)
    naps.due = now &+ nap
  }
}
