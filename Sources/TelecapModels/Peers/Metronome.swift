import TelecapRecording

/// Beats at a rate, each at its absolute time from the first, so that a late beat does not delay later ones. Missed
/// beats are skipped.
public struct Metronome: Hashable, Sendable {
  private let origin: Timestamp
  private let rate: Int64
  /// The time in ns in which there are `rate` beats.
  private let span: Int64
  /// The time of the next beat.
  public private(set) var next: Timestamp

  /// Beats from `origin` on, with the first one there; `rate` in beats a second or in each `span` of ns, clamped to
  /// 1…1,000,000.
  public init(from origin: Timestamp, rate: Int, in span: Int64 = 1_000_000_000) {
    self.origin = origin
    self.rate = Int64(max(1, min(1_000_000, rate)))
    self.span = max(1, min(1_000_000_000_000, span))
    next = origin
  }

  /// Whether a beat is due at `time`; consumes it, and all missed ones.
  public mutating func take(at time: Timestamp) -> Bool {
    guard time >= next else { return false }
    let elapsed = time.nanoseconds(since: origin)
    let (spans, rest) = elapsed.quotientAndRemainder(dividingBy: span)
    next = due(spans * rate + rest * rate / span + 1)
    // Rounding down can give the beat that was just consumed.
    if next <= time { next = due(spans * rate + rest * rate / span + 2) }
    return true
  }

  /// The time of beat `number`, rounded down to the nanosecond.
  private func due(_ number: Int64) -> Timestamp {
    let (spans, rest) = number.quotientAndRemainder(dividingBy: rate)
    let (whole, overflow) = spans.multipliedReportingOverflow(by: span)
    return origin.advanced(byNanoseconds: overflow ? .max : whole).advanced(byNanoseconds: rest * span / rate)
  }
}
