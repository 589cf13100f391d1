import CSockets
import TelecapRecording

/// The time of day, for the timestamps of a capture. It may be set and may jump: nothing is paced by it.
public enum WallClock {
  /// Nanoseconds since 1970-01-01 00:00 UTC (CLOCK_REALTIME).
  public static func now() -> Timestamp { Timestamp(nanoseconds: telecap_wall_ns()) }
}
