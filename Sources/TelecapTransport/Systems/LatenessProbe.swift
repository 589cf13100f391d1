import TelecapPlatform
import TelecapRecording

/// How late this machine wakes somebody up who sleeps, while a run goes on: the system under test is woken no sooner, and
/// what it prints is read by a task that waits like this one. A run on a machine that is too busy proves nothing.
struct LatenessProbe {
  /// How late the worst nap ended, and when the one that goes on is to end; on the monotonic clock, in ns.
  private struct Naps {
    var worst: Nanoseconds = 0
    var due: Nanoseconds
  }

  private let clock: any MonotonicClock
  private let naps: Locked<Naps>
  private let task: Task<Void, Never>

  /// How long it sleeps each time, in ns.
  private static let nap: Nanoseconds = 5_000_000

  /// Begins to look. The first nap counts from here, however late its task is begun.
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

  /// Ends looking; the worst lateness so far, in ns: that of a nap which goes on counts as well.
  @discardableResult
  func end() -> Nanoseconds {
    task.cancel()
    return naps.with {
      LatenessProbe.wake(&$0, at: clock.now())
      return $0.worst
    }
  }

  /// The worst lateness of the naps that are over, in ns.
  var worst: Nanoseconds { naps.with { $0.worst } }

  private static func wake(_ naps: inout Naps, at now: Nanoseconds) {
    naps.worst = max(naps.worst, now &- naps.due)
    naps.due = now &+ nap
  }
}
