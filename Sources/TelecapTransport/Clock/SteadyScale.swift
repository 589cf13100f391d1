import TelecapRecording

/// A time of day that does not follow jumps of the system clock after its start.
struct SteadyScale: Sendable {
  /// The start by a clock that cannot be set.
  private let steady: Nanoseconds
  /// The start by the system clock.
  private let wall: Timestamp

  /// A scale that starts at this moment of both clocks.
  init(steady: Nanoseconds, wall: Timestamp) { (self.steady, self.wall) = (steady, wall) }

  /// The time of day at a moment of the steady clock.
  func time(at moment: Nanoseconds) -> Timestamp { wall.advanced(byNanoseconds: moment &- steady) }

  /// The difference between the system clock, which shows `system` at a moment, and this scale, in ns. Less than a
  /// millisecond counts as 0, since the two clocks are read one after the other.
  func shift(of system: Timestamp, at moment: Nanoseconds) -> Nanoseconds {
    let shift = system.nanoseconds(since: time(at: moment))
    return shift.magnitude < 1_000_000 ? 0 : shift
  }
}

/// Detects jumps of the system clock against a steady scale.
public struct ClockWatch: Sendable {
  private var shift: Nanoseconds

  /// The smallest reported jump, in ns: slewing a clock makes smaller ones.
  public static let smallest: Nanoseconds = 20_000_000

  /// A watch that starts with this difference between the system clock and the scale, in ns (`WallClock.shift`).
  public init(shift: Nanoseconds) { self.shift = shift }

  /// The jump of the system clock since the last call, in ns, negative where it was set back; nil without one.
  public mutating func look(shift now: Nanoseconds) -> Nanoseconds? {
    let step = now &- shift
    shift = now
    return step.magnitude < ClockWatch.smallest ? nil : step
  }
}
