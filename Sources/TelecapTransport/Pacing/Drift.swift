import TelecapRecording

/// The slope of the least-squares line of send timing error over due time: how much slower than planned the sender
/// runs.
///
/// A sender that sleeps relative intervals drifts: its error grows with time, here in microseconds per second. One late
/// packet at the end hardly changes the slope, unlike the difference between last and first.
struct Drift: Sendable {
  private var count = 0.0
  private var meanDue = 0.0
  private var meanLate = 0.0
  private var variation = 0.0
  private var covariation = 0.0

  /// Adds a packet, in nanoseconds, by Welford's update, which stays exact over long runs.
  mutating func add(due: Nanoseconds, late: Nanoseconds) {
    count += 1
    let fromMean = Double(due) - meanDue
    meanDue += fromMean / count
    variation += fromMean * (Double(due) - meanDue)
    covariation += fromMean * (Double(late) - meanLate) * (count - 1) / count
    meanLate += (Double(late) - meanLate) / count
  }

  /// The growth of the error in ns per ms, which is parts per million; 0 when all were due at once.
  var partsPerMillion: Double { variation > 0 ? covariation / variation * 1e6 : 0 }
}
