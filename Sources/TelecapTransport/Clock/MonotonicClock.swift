import CSockets
import TelecapRecording

/// A monotonic clock for pacing and waiting: the machine's, or one that a test steps. Only differences of its times
/// have a meaning.
public protocol MonotonicClock: Sendable {
  /// Nanoseconds since the clock's origin.
  func now() -> Nanoseconds
  /// Blocks the thread until the clock shows `time` nanoseconds; a signal may end it early.
  func sleep(until time: Nanoseconds)
  /// Suspends the task until the clock shows `time` nanoseconds, or the task is cancelled.
  func wait(until time: Nanoseconds) async
  /// Prepares the calling thread for the most precise wake-ups.
  func prepareThread()
  /// Called repeatedly while a deadline is too near for sleeping.
  func spin()
}

extension MonotonicClock {
  /// Blocks the thread for this time, in ns; a signal may end it early.
  func sleep(for duration: Nanoseconds) { sleep(until: now() &+ duration) }

  /// Suspends the task for this time, in ns, or until it is cancelled.
  func wait(for duration: Nanoseconds) async { await wait(until: now() &+ duration) }
}

/// The machine's monotonic clock: CLOCK_MONOTONIC, on Apple's systems CLOCK_UPTIME_RAW.
public struct SystemMonotonicClock: MonotonicClock {
  /// The clock for everything except pacing.
  public static var shared: SystemMonotonicClock { SystemMonotonicClock(preparing: false) }

  /// The clock; prepares the calling thread for it.
  public init() { self.init(preparing: true) }

  private init(preparing isPaced: Bool) { if isPaced { prepareThread() } }

  /// Makes the calling thread's timers as exact as the kernel allows (Linux: timer slack 1 ns, not 50 µs).
  public func prepareThread() { telecap_precise_timers() }

  /// Nanoseconds since the clock's origin, often the boot of the machine.
  @inlinable
  public func now() -> Nanoseconds { telecap_monotonic_ns() }

  /// Sleeps until that absolute time, or until a signal.
  public func sleep(until time: Nanoseconds) { telecap_sleep_until(time) }

  /// Suspends the task until that absolute time, or until it is cancelled.
  public func wait(until time: Nanoseconds) async { try? await Task.sleep(for: .nanoseconds(max(0, time &- now()))) }

  /// Hints to the processor that this is a spin loop.
  @inlinable
  public func spin() { telecap_spin_hint() }
}
