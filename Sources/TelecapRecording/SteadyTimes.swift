/// Detects backward clock steps in a recording and shifts the times of later packets so that they go on.
///
/// Packets of an interface are recorded in the order in which they came: one that is dated much earlier than the one before it was dated
/// by a clock that had been set back meanwhile, or comes from another recording that was appended. The real time between both packets is
/// unknown; the gap before the step is used in its place, at most `longestGap`: a pause before the step says nothing about the time over it.
public struct SteadyTimes: Sendable {
  /// A packet that is so much earlier than the one before it, in ns, is no packet that was merely recorded out of order.
  public static let smallestStep: Nanoseconds = 1_000_000_000

  /// The longest time, in ns, that is taken to have passed over a step.
  public static let longestGap: Nanoseconds = 1_000_000_000

  /// The state of one interface.
  private struct Line {
    var latest: Timestamp?
    var gap: Nanoseconds = 0
    var shift: Nanoseconds = 0
  }

  /// By the numbers of interfaces.
  private var lines: [Line] = []
  /// Recordings have no more interfaces.
  private static let maxLines = 65_536

  /// Times of which none is known yet.
  public init() {}

  /// Takes the time of the next packet of an interface.
  ///
  /// - Returns: its time on the scale of the first packet of that interface, and how far the clock had been set back before it, in ns; nil
  ///   where it was not.
  @inlinable
  public mutating func place(_ time: Timestamp, interface: Int = 0) -> (time: Timestamp, step: Nanoseconds?) {
    let (shift, step) = add(time, interface)
    return (shift == 0 ? time : time.advanced(byNanoseconds: shift), step)
  }

  /// Takes the next packet of a recording.
  ///
  /// - Returns: its header with its time on the scale of the first packet of its interface, and how far the clock had been set back before
  ///   it, in ns; nil where it was not.
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
    // One packet that is dated far ahead, as by a damaged time, is no clock: the next is nearer to the one before it again, and not
    // earlier than that one.
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
