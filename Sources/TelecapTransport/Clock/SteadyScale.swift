import TelecapRecording

/// A time of day that does not follow steps of the system clock after its beginning.
struct SteadyScale: Sendable {
  /// The beginning, by a clock that nobody can set.
  private let steady: Nanoseconds
  /// The beginning, by the system clock.
  private let wall: Timestamp

  /// A scale that begins at this moment of both clocks.
  init(steady: Nanoseconds, wall: Timestamp) { (self.steady, self.wall) = (steady, wall) }

  /// The time of day at a moment of the steady clock.
  func time(at moment: Nanoseconds) -> Timestamp { wall.advanced(byNanoseconds: moment &- steady) }

  /// How far the system clock, which shows `system` at a moment, has been set from this scale, in ns. Less than a millisecond is what two
  /// clocks that are read one after the other differ by.
  func shift(of system: Timestamp, at moment: Nanoseconds) -> Nanoseconds {
    let shift = system.nanoseconds(since: time(at: moment))
    return shift.magnitude < 1_000_000 ? 0 : shift
  }
}

/// Finds steps of the system clock: moments from which it is set further from a steady scale than before.
public struct ClockWatch: Sendable {
  private var shift: Nanoseconds

  /// A smaller step, in ns, is not reported: a clock that is corrected by degrees makes such ones.
  public static let smallest: Nanoseconds = 20_000_000

  /// A watch that begins when the system clock is set so far from the scale, in ns (`WallClock.shift`).
  public init(shift: Nanoseconds) { self.shift = shift }

  /// By how much the system clock was set since the last look, in ns, negative where it was set back; nil where it was not.
  public mutating func look(shift now: Nanoseconds) -> Nanoseconds? {
    let step = now &- shift
    shift = now
    return step.magnitude < ClockWatch.smallest ? nil : step
  }
}
