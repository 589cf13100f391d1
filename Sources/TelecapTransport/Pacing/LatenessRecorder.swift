import Histogram
import TelecapRecording

/// Measures the send timing error of packets: percentiles with three significant digits, and drift. Its size is
/// constant, about 250 KiB.
public struct LatenessRecorder: Sendable {
  private static let hour: UInt64 = 3_600_000_000_000
  private var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: hour, numberOfSignificantValueDigits: .three)
  private var drift = Drift()
  private var max: Nanoseconds = 0

  /// No measurements.
  public init() {}

  /// Records packets that were due at these times and sent together at `sent`, all in nanoseconds from one origin. A
  /// packet sent early counts as error 0; an error above an hour counts as an hour in the percentiles.
  public mutating func record(due: [Nanoseconds], sent: Nanoseconds) {
    for due in due {
      let late = Swift.max(0, sent.subtractingClamped(due))
      histogram.record(min(UInt64(late), Self.hour))
      max = Swift.max(max, late)
      drift.add(due: due, late: late)
    }
  }

  /// The measurements.
  public var summary: Lateness {
    Lateness(
      count: Int(clamping: histogram.totalCount),
      p50: percentile(50), p95: percentile(95), p99: percentile(99), max: max,
      driftPPM: drift.partsPerMillion)
  }

  /// At most the maximum: the histogram returns the upper end of a bucket.
  private func percentile(_ percent: Double) -> Nanoseconds {
    histogram.totalCount == 0 ? 0 : Swift.min(max, Int64(clamping: histogram.valueAtPercentile(percent)))
  }
}

/// The send timing errors of a run, in nanoseconds.
public struct Lateness: Hashable, Sendable {
  /// The number of sent packets.
  public var count: Int
  /// The median.
  public var p50: Nanoseconds
  /// The 95th percentile.
  public var p95: Nanoseconds
  /// The 99th percentile.
  public var p99: Nanoseconds
  /// The maximum.
  public var max: Nanoseconds
  /// How much slower than the plan sending was, in ppm (µs per second): see `Drift`.
  public var driftPPM: Double
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Nanoseconds) -> Nanoseconds {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
