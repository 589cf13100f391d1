import TelecapRecording

/// How far apart messages come: counted in classes of a sixteenth of an octave, in memory that does not grow with them.
struct Intervals: Sendable {
  private struct Class {
    var count = 0
    var sum: Nanoseconds = 0
  }

  /// How many intervals there are.
  private(set) var count = 0
  /// Sixteen for each power of two; empty before the first interval.
  private var classes: [Class] = []

  mutating func add(_ interval: Nanoseconds) {
    if classes.isEmpty { classes = [Class](repeating: Class(), count: 16 * 64) }
    let place = Intervals.place(max(1, interval))
    classes[place].count += 1
    classes[place].sum = classes[place].sum.saturatingAdding(interval)
    count += 1
  }

  /// The usual interval, which a few long ones do not change: the mean of the class that the median lies in; nil where there
  /// is none.
  var usual: Nanoseconds? {
    var rest = (count + 1) / 2
    for one in classes where one.count > 0 {
      rest -= one.count
      if rest <= 0 { return one.sum / Int64(one.count) }
    }
    return nil
  }

  /// The power of two, and the four bits after its own.
  @inline(__always)
  private static func place(_ interval: Nanoseconds) -> Int {
    let power = 63 - interval.leadingZeroBitCount
    let next = power >= 4 ? (interval >> Int64(power - 4)) & 15 : (interval << Int64(4 - power)) & 15
    return 16 * power + Int(next)
  }
}
