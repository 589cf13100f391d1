import TelecapRecording

/// How old what a receiver goes by is: measured, not judged (semantics, What is stale is measured, not judged). The age
/// of information is Δ(t) = t − (the time at which the applied value was sent).
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

  /// Nothing measured yet.
  public init() {}

  /// The mean age over time, in ns; nil while nothing was measured.
  public var mean: Int64? { elapsed > 0 ? Int64(area / Double(elapsed)) : nil }
  /// The age that was not exceeded for 99 % of the time, in ns, to about 1 in 16; nil while nothing was measured.
  public var p99: Nanoseconds? { elapsed > 0 ? min(peak, histogram.quantile(0.99)) : nil }
  /// The share of time in which the applied value was not the newest sent, 0…1; nil while nothing was measured.
  public var staleShare: Double? { elapsed > 0 ? Double(stale) / Double(elapsed) : nil }

  /// A value was sent.
  public mutating func sent(at now: Timestamp) {
    pass(to: now)
    newestSent = max(newestSent ?? now, now)
  }

  /// The receiver applied the value that was sent at `sentAt`.
  public mutating func applied(sentAt: Timestamp, at now: Timestamp) {
    pass(to: now)
    appliedSent = sentAt
  }

  /// The run has ended.
  public mutating func finish(at now: Timestamp) { pass(to: now) }

  /// Accounts for the time until `now`; it is measured from the first applied value on.
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
