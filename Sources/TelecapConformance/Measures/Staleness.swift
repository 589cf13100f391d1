import TelecapRecording

/// The age of the value that a receiver applies: measured, without a verdict (semantics, the section on stale values).
/// The age of information is Δ(t) = t − (the time at which the applied value was sent).
public struct Staleness: Sendable {
  private var histogram = AgeHistogram()
  private var area = 0.0
  private var elapsed: Nanoseconds = 0
  private var stale: Nanoseconds = 0
  /// The largest age, in ns.
  public private(set) var peak: Nanoseconds = 0
  private var appliedSent: Timestamp?
  private var newestSent: Timestamp?
  private var last = Timestamp.zero

  /// No measurement yet.
  public init() {}

  /// The mean age over time, in ns; nil without a measurement.
  public var mean: Int64? { elapsed > 0 ? Int64(area / Double(elapsed)) : nil }
  /// The age that was not exceeded for 99 % of the time, in ns, to about 1 in 16; nil without a measurement.
  public var p99: Nanoseconds? { elapsed > 0 ? min(peak, histogram.quantile(0.99)) : nil }
  /// The share of time in which the applied value was stale, 0…1; nil without a measurement.
  public var staleShare: Double? { elapsed > 0 ? Double(stale) / Double(elapsed) : nil }

  /// Handles a sent value.
  public mutating func sent(at now: Timestamp) {
    pass(to: now)
    newestSent = max(newestSent ?? now, now)
  }

  /// Handles the value that was sent at `sentAt` and is applied now.
  public mutating func applied(sentAt: Timestamp, at now: Timestamp) {
    pass(to: now)
    appliedSent = sentAt
  }

  /// Ends the measurement.
  public mutating func finish(at now: Timestamp) { pass(to: now) }

  /// Adds the time until `now`, from the first applied value on.
  private mutating func pass(to now: Timestamp) {
    defer { last = max(last, now) }
    guard let sent = appliedSent, now > last else { return }
    let span = now.nanoseconds(since: last)
    let low = max(0, last.nanoseconds(since: sent))
    let high = max(0, now.nanoseconds(since: sent))
    area += (Double(low) + Double(high)) / 2 * Double(span)
    elapsed += span
    peak = max(peak, high)
    histogram.add(from: low, to: high)
    if let newestSent, sent < newestSent { stale += span }
  }
}
