import CSockets

/// How late this machine wakes somebody up who sleeps, while a run goes on: the system under test is woken no sooner, and
/// what it prints is read by a task that waits like this one. A run on a machine that is too busy proves nothing.
struct LatenessProbe {
  private let worst = Locked<Int64>(0)
  private let task: Task<Void, Never>

  /// How long it sleeps each time, in ns.
  private static let nap: Int64 = 5_000_000

  /// Begins to look.
  init() {
    let worst = worst
    task = Task.detached {
      while !Task.isCancelled {
        let due = telecap_monotonic_ns() &+ LatenessProbe.nap
        try? await Task.sleep(for: .nanoseconds(LatenessProbe.nap))
        let late = telecap_monotonic_ns() &- due
        worst.with { $0 = max($0, late) }
      }
    }
  }

  /// Ends looking; the worst lateness so far, in ns.
  @discardableResult
  func end() -> Int64 {
    task.cancel()
    return worst.with { $0 }
  }
}
