import Histogram
import TelecapRecording

/// Measures how late packets were sent after they were due: percentiles with three significant digits, and drift.
/// Of constant size, about 250 KiB.
public struct LatenessRecorder: Sendable {
  private static let hour: UInt64 = 3_600_000_000_000
  private var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: hour, numberOfSignificantValueDigits: .three)
  private var drift = Drift()
  private var max: Nanoseconds = 0

  /// Nothing recorded yet.
  public init() {}

  /// Records packets that were due at these times and sent together at `sent`, all in nanoseconds from one origin.
  /// Sent early counts as lateness 0; later than an hour as an hour in the percentiles.
  public mutating func record(due: [Nanoseconds], sent: Nanoseconds) {
    for due in due {
      let late = Swift.max(0, sent.subtractingClamped(due))
      histogram.record(min(UInt64(late), Self.hour))
      max = Swift.max(max, late)
      drift.add(due: due, late: late)
    }
  }

  /// What was recorded, in figures.
  public var summary: Lateness {
    Lateness(
      count: Int(clamping: histogram.totalCount),
      p50: percentile(50), p95: percentile(95), p99: percentile(99), max: max,
      driftPPM: drift.partsPerMillion)
  }

  /// Never more than the maximum: the histogram gives the upper end of a bucket.
  private func percentile(_ percent: Double) -> Nanoseconds {
    histogram.totalCount == 0 ? 0 : Swift.min(max, Int64(clamping: histogram.valueAtPercentile(percent)))
  }
}

/// How late the packets of a run were. Times in nanoseconds.
public struct Lateness: Hashable, Sendable {
  /// How many packets were sent.
  public var count: Int
  /// Half of them were this late or less.
  public var p50: Nanoseconds
  /// 95 % were this late or less.
  public var p95: Nanoseconds
  /// 99 % were this late or less.
  public var p99: Nanoseconds
  /// The latest was this late.
  public var max: Nanoseconds
  /// By how much the time of sending ran slower than the plan, in millionths (µs a second): see `Drift`.
  public var driftPPM: Double
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Nanoseconds) -> Nanoseconds {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
