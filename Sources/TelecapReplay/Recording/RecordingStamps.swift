import TelecapRecording
import TelecapTransport

/// The clock that dates the packets of a recording.
struct RecordingStamps: Sendable {
  /// Whether a step of the system clock moves them: the kernel dates what an interface hears, this program what it relays.
  var followsSystemClock = false
  /// How far the system clock is set from `WallClock.now`, in ns.
  var shift: @Sendable () -> Nanoseconds = WallClock.shift

  /// A clock that nobody can set, in ns, and that goes on while the process is stopped.
  var steady: @Sendable () -> Nanoseconds = { SystemMonotonicClock().now() }

  /// The time of a packet that comes now.
  func now() -> Timestamp { followsSystemClock ? WallClock.system() : WallClock.now() }
}
