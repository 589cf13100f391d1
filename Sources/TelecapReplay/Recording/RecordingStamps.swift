import TelecapRecording
import TelecapTransport

/// The clock for packets of a recording.
struct RecordingStamps: Sendable {
  /// Whether a jump of the system clock affects it: the kernel dates packets of an interface, telecap those of a relay.
  var followsSystemClock = false
  /// The difference between the system clock and `WallClock.now`, in ns.
  var shift: @Sendable () -> Nanoseconds = WallClock.shift

  /// A clock that cannot be set, in ns, and that continues while the process is stopped.
  var steady: @Sendable () -> Nanoseconds = { SystemMonotonicClock().now() }

  /// The time of a packet that comes now.
  func now() -> Timestamp { followsSystemClock ? WallClock.system() : WallClock.now() }
}
