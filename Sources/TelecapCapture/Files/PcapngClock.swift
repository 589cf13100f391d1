import TelecapRecording

/// Turns an interface's ticks into nanoseconds (draft-ietf-opsawg-pcapng §4.2: if_tsresol, if_tsoffset).
struct PcapngClock: Hashable {
  /// Ticks a second; at least 1.
  let ticksPerSecond: UInt64
  /// Seconds that every timestamp of the interface lacks.
  var offsetSeconds: Int64 = 0

  /// Microseconds, what holds when the interface does not say.
  static let microseconds = PcapngClock(ticksPerSecond: 1_000_000)

  private init(ticksPerSecond: UInt64) { self.ticksPerSecond = ticksPerSecond }

  /// The clock of an if_tsresol byte: a negative power of ten, or of two when the top bit is set. Nil when a second
  /// has more ticks than 64 bits can count.
  init?(resolution byte: UInt8) {
    let exponent = Int(byte & 0x7f)
    if byte & 0x80 != 0 {
      guard exponent < 64 else { return nil }
      ticksPerSecond = 1 << UInt64(exponent)
    } else {
      guard exponent < 20 else { return nil }
      ticksPerSecond = (0..<exponent).reduce(1) { ticks, _ in ticks * 10 }
    }
  }

  /// The time of so many ticks. What a `Timestamp` cannot hold is clamped; less than a nanosecond is cut off.
  @inline(__always)
  func time(ticks: UInt64) -> Timestamp {
    if ticksPerSecond == 1_000_000_000, offsetSeconds == 0, let nanoseconds = Int64(exactly: ticks) {
      return Timestamp(nanoseconds: nanoseconds)
    }
    return slowTime(ticks: ticks)
  }

  private func slowTime(ticks: UInt64) -> Timestamp {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
    // rest < ticksPerSecond, so that the quotient is below 10^9 and the division cannot overflow.
    let product = rest.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(ticksPerSecond.dividingFullWidth(product).quotient)
    let (whole, overflow) = Int64(clamping: seconds).addingReportingOverflow(offsetSeconds)
    if overflow { return Timestamp(nanoseconds: offsetSeconds < 0 ? .min : .max) }
    let (scaled, tooLarge) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    if tooLarge { return Timestamp(nanoseconds: whole < 0 ? .min : .max) }
    return Timestamp(nanoseconds: scaled).advanced(byNanoseconds: fraction)
  }
}
