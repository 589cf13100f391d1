import CSockets
import TelecapRecording

/// The time of day, for the timestamps of a capture. It may be set and may jump: nothing is paced by it.
public enum WallClock {
  /// Nanoseconds since 1970-01-01 00:00 UTC (CLOCK_REALTIME).
  public static func now() -> Timestamp { Timestamp(nanoseconds: telecap_wall_ns()) }

  /// The same moment by a steady clock, in ns, and by the time of day. On a busy machine the thread may be held up between
  /// two readings: the time of day is read between two looks at the steady clock, and again while those are far apart.
  public static func moment(
    steady: () -> Nanoseconds = telecap_monotonic_ns
  ) -> (steady: Nanoseconds, wall: Timestamp) {
    var best = (apart: Nanoseconds.max, steady: Nanoseconds(0), wall: Timestamp.zero)
    for _ in 0..<100 where best.apart > 100_000 {
      let before = steady()
      let wall = now()
      let apart = steady() &- before
      if apart < best.apart { best = (apart, before &+ apart / 2, wall) }
    }
    return (best.steady, best.wall)
  }
}
