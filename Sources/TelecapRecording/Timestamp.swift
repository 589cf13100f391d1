/// A duration, or a time since an origin, in ns. An integer, because the packet path computes with it.
public typealias Nanoseconds = Int64

/// A point in time in whole nanoseconds: since 1970-01-01 00:00 UTC in a capture, since the start of a run in a plan or
/// a model. Covers the years 1677 to 2262.
public struct Timestamp: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Nanoseconds since the origin.
  public var nanoseconds: Nanoseconds

  /// The origin itself.
  public static let zero = Timestamp(nanoseconds: 0)

  /// A timestamp at this many nanoseconds since the origin.
  @inlinable
  public init(nanoseconds: Nanoseconds) { self.nanoseconds = nanoseconds }

  /// A timestamp at this many seconds since the origin, rounded to the nearest nanosecond and clamped to the range.
  public init(seconds: Double) {
    guard abs(seconds) < 9e9 else {
      nanoseconds = Int64(clampingRounded: seconds * 1e9)
      return
    }
    // Convert the fraction separately, because a Double cannot represent the nanoseconds since 1970.
    let whole = Int64(seconds)
    nanoseconds = whole * 1_000_000_000 + Int64(clampingRounded: (seconds - Double(whole)) * 1e9)
  }

  /// The seconds since the origin, with the precision of a Double.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The nanoseconds from `earlier` to this timestamp; negative if `earlier` is later. Saturates.
  @inlinable
  public func nanoseconds(since earlier: Timestamp) -> Nanoseconds {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (nanoseconds < 0 ? .min : .max) : difference
  }

  /// This timestamp, `nanoseconds` later. Saturates.
  @inlinable
  public func advanced(byNanoseconds amount: Nanoseconds) -> Timestamp {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(amount)
    return Timestamp(nanoseconds: overflow ? (amount < 0 ? .min : .max) : sum)
  }

  /// Whether `left` is earlier.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Int64 {
  /// The nearest integer to `value`, halves away from zero; NaN is 0, and other values are clamped. Never traps.
  ///
  /// Written without `rounded()`, which calls the C math library on some platforms: this module links nothing.
  public init(clampingRounded value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 0x1p63 {
      self = .max
    } else if value < -0x1p63 {
      self = .min
    } else {
      let whole = Int64(value)
      let rest = value - Double(whole)
      self = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    }
  }
}
