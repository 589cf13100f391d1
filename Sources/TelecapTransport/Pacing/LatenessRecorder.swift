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
  private var first: (due: Nanoseconds, sent: Nanoseconds)?
  private var last: (due: Nanoseconds, sent: Nanoseconds) = (0, 0)

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
      first = first ?? (due, sent)
      last = (due, sent)
    }
  }

  /// What was recorded, in figures.
  public var summary: Lateness {
    let begin = first ?? (0, 0)
    return Lateness(
      count: Int(clamping: histogram.totalCount),
      p50: percentile(50), p95: percentile(95), p99: percentile(99), max: max,
      driftPPM: drift.partsPerMillion,
      dueSpan: last.due.subtractingClamped(begin.due), sentSpan: last.sent.subtractingClamped(begin.sent))
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
  /// From the first packet's due time to the last one's.
  public var dueSpan: Nanoseconds
  /// From the first packet's sending to the last one's.
  public var sentSpan: Nanoseconds

  /// Packets a second that the plan asked for; nil when all were due at once.
  public var rateAsked: Double? { rate(over: dueSpan) }

  /// Packets a second that came out; nil for fewer than two or when all went at once.
  public var rateSent: Double? { rate(over: sentSpan) }

  private func rate(over span: Nanoseconds) -> Double? {
    count > 1 && span > 0 ? Double(count - 1) * 1e9 / Double(span) : nil
  }
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Nanoseconds) -> Nanoseconds {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
