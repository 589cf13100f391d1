/// Detects backward clock steps in a recording, and shifts the times of later packets so that they are monotonic.
///
/// Packets of an interface are recorded in the order of their arrival. If one is dated much earlier than the one before
/// it, the clock was set back in between, or another recording was appended. The real time between both packets is
/// unknown; the interval before the step is used instead, at most `longestGap`, because a pause before the step is no
/// evidence of a pause across it.
public struct SteadyTimes: Sendable {
  /// The minimum backward step, in ns: packets that were only recorded out of order are closer.
  public static let smallestStep: Nanoseconds = 1_000_000_000

  /// The maximum time that is assumed across a step, in ns.
  public static let longestGap: Nanoseconds = 1_000_000_000

  /// The state of one interface.
  private struct Line {
    var latest: Timestamp?
    var gap: Nanoseconds = 0
    var shift: Nanoseconds = 0
  }

  /// The states by the indices of interfaces.
  private var lines: [Line] = []
  /// The maximum number of interfaces in a recording.
  private static let maxLines = 65_536

  /// Without times.
  public init() {}

  /// Adds the time of the next packet of an interface.
  ///
  /// - Returns: its time on the scale of the first packet of that interface, and the backward step of the clock before
  ///   it, in ns; nil without a step.
  @inlinable
  public mutating func place(_ time: Timestamp, interface: Int = 0) -> (time: Timestamp, step: Nanoseconds?) {
    let (shift, step) = add(time, interface)
    return (shift == 0 ? time : time.advanced(byNanoseconds: shift), step)
  }

  /// Adds the next packet of a recording.
  ///
  /// - Returns: its header with its time on the scale of the first packet of its interface, and the backward step of
  ///   the clock before it, in ns; nil without a step.
  @inlinable
  public mutating func place(_ header: PacketHeader) -> (header: PacketHeader, step: Nanoseconds?) {
    let (shift, step) = add(header.time, header.interface)
    if shift == 0 { return (header, step) }
    var moved = header
    moved.time = header.time.advanced(byNanoseconds: shift)
    return (moved, step)
  }

  @usableFromInline
  mutating func add(_ time: Timestamp, _ interface: Int) -> (shift: Nanoseconds, step: Nanoseconds?) {
    let place = min(max(interface, 0), SteadyTimes.maxLines - 1)
    while lines.count <= place { lines.append(Line()) }
    defer { lines[place].latest = time }
    guard let latest = lines[place].latest else { return (0, nil) }
    let passed = time.nanoseconds(since: latest)
    if passed > -SteadyTimes.smallestStep {
      if passed >= 0 { lines[place].gap = passed }
      return (lines[place].shift, nil)
    }
    let step = passed == .min ? .max : -passed
    // A single packet dated far ahead, for example by a damaged time, is not a clock step: the packet after it is close
    // to the one before it, and not earlier.
    let sinceBefore = lines[place].gap - step
    if sinceBefore >= 0, sinceBefore < step {
      lines[place].gap = sinceBefore
      return (lines[place].shift, nil)
    }
    lines[place].shift = lines[place].shift.saturatingAdding(step)
      .saturatingAdding(min(lines[place].gap, SteadyTimes.longestGap))
    return (lines[place].shift, step)
  }
}
