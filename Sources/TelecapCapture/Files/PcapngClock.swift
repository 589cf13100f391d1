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

  /// The time of so many ticks as most files have it, in nanoseconds from 1970; nil where it takes more to tell it (`fileTime`).
  @inline(__always)
  func usualTime(ticks: UInt64) -> Timestamp? {
    guard ticksPerSecond == 1_000_000_000, offsetSeconds == 0 else { return nil }
    return Int64(exactly: ticks).map { Timestamp(nanoseconds: $0) }
  }

  /// The time of so many ticks; less than a nanosecond is cut off.
  func fileTime(ticks: UInt64) -> FileTime {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
    // rest < ticksPerSecond, so that the quotient is below 10^9 and the division cannot overflow.
    let product = rest.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(ticksPerSecond.dividingFullWidth(product).quotient)
    return FileTime(seconds: seconds, offset: offsetSeconds, fraction: fraction)
  }
}
