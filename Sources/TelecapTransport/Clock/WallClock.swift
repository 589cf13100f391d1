import CSockets
import TelecapRecording

/// The time of day, for timestamps of sent, received and printed data. Pacing does not use it.
public enum WallClock {
  private static let scale = {
    let start = closest(steady: telecap_uptime_ns, wall: system)
    return SteadyScale(steady: start.steady, wall: start.wall)
  }()

  /// Nanoseconds since 1970-01-01 00:00 UTC by the system clock at the first call. Jumps of the system clock do not
  /// change the order and the intervals of these times; `shift` is the difference since then.
  public static func now() -> Timestamp { scale.time(at: telecap_uptime_ns()) }

  /// Nanoseconds since 1970-01-01 00:00 UTC by the system clock now (CLOCK_REALTIME), which may jump. libpcap and the
  /// kernel use it for timestamps of packets.
  public static func system() -> Timestamp { Timestamp(nanoseconds: telecap_wall_ns()) }

  /// The difference between the system clock and `now`, in ns.
  public static func shift() -> Nanoseconds {
    let moment = closest(steady: telecap_uptime_ns, wall: system)
    return scale.shift(of: moment.wall, at: moment.steady)
  }

  /// The time for a kernel timestamp of the system clock, in ns since 1970.
  ///
  /// - Parameter shift: the shift at the time of reading.
  static func time(ofKernel nanoseconds: Int64, shift: Nanoseconds) -> Timestamp {
    time(ofKernel: Timestamp(nanoseconds: nanoseconds), shift: shift, readAt: now())
  }

  /// The time for a kernel timestamp of the system clock that was read at a moment.
  ///
  /// A timestamp that would be later than the moment or older than `maxAge` is from before a jump of the clock: its
  /// data came at about the moment.
  static func time(ofKernel stamp: Timestamp, shift: Nanoseconds, readAt moment: Timestamp) -> Timestamp {
    guard shift != 0 else { return stamp }
    let time = stamp.advanced(byNanoseconds: 0 &- shift)
    return moment < time || moment.nanoseconds(since: time) > maxAge ? moment : time
  }

  /// The maximum time, in ns, that a datagram waits in the kernel before it is read.
  private static let maxAge: Nanoseconds = 60_000_000_000

  /// One moment by a steady clock, in ns, and by the time of day.
  public static func moment(
    steady: () -> Nanoseconds = telecap_monotonic_ns
  ) -> (steady: Nanoseconds, wall: Timestamp) {
    closest(steady: steady, wall: now)
  }

  /// One moment by two clocks. On a busy machine the thread may be interrupted between two readings: the time of day is
  /// read between two readings of the steady clock, and again while those are far apart.
  private static func closest(
    steady: () -> Nanoseconds, wall: () -> Timestamp
  ) -> (steady: Nanoseconds, wall: Timestamp) {
    var best = (apart: Nanoseconds.max, steady: Nanoseconds(0), wall: Timestamp.zero)
    for _ in 0..<100 where best.apart > 100_000 {
      let before = steady()
      let wall = wall()
      let apart = steady() &- before
      if apart < best.apart { best = (apart, before &+ apart / 2, wall) }
    }
    return (best.steady, best.wall)
  }
}
