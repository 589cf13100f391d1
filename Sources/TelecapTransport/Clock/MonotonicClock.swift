import CSockets
import TelecapRecording

/// A clock that only goes forward, to pace by. Its origin means nothing; only differences do.
public protocol MonotonicClock {
  /// Nanoseconds since the clock's origin.
  func now() -> Nanoseconds
  /// Sleeps until the clock shows `time` nanoseconds, or less: a signal may end it early.
  func sleep(until time: Nanoseconds)
  /// Called again and again while a deadline is so near that sleeping would miss it.
  func spin()
}

/// The machine's monotonic clock: CLOCK_MONOTONIC, on Apple's systems CLOCK_UPTIME_RAW.
public struct SystemMonotonicClock: MonotonicClock, Sendable {
  /// The clock, with the calling thread's timers made as exact as the kernel allows (Linux: timer slack 1 ns, not 50 µs).
  public init() { telecap_precise_timers() }

  /// Nanoseconds since the clock's origin, often the start of the machine.
  @inlinable
  public func now() -> Nanoseconds { telecap_monotonic_ns() }

  /// Sleeps until that absolute time, or until a signal.
  public func sleep(until time: Nanoseconds) { telecap_sleep_until(time) }

  /// Tells the processor that this is a spin loop.
  @inlinable
  public func spin() { telecap_spin_hint() }
}
