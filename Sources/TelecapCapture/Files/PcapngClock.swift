import TelecapRecording

/// Converts an interface's ticks to nanoseconds (draft-ietf-opsawg-pcapng §4.2: if_tsresol, if_tsoffset).
struct PcapngClock: Hashable {
  /// Ticks a second; at least 1.
  let ticksPerSecond: UInt64
  /// The seconds to add to every timestamp of the interface.
  var offsetSeconds: Int64 = 0

  /// Microseconds, the default of an interface.
  static let microseconds = PcapngClock(ticksPerSecond: 1_000_000)

  private init(ticksPerSecond: UInt64) { self.ticksPerSecond = ticksPerSecond }

  /// The clock of an if_tsresol byte: a negative power of ten, or of two if the top bit is set. Nil if the ticks of a
  /// second do not fit into 64 bits.
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

  /// The time of this many ticks in the usual case, in nanoseconds since 1970; nil if it needs `fileTime`.
  @inline(__always)
  func usualTime(ticks: UInt64) -> Timestamp? {
    guard ticksPerSecond == 1_000_000_000, offsetSeconds == 0 else { return nil }
    return Int64(exactly: ticks).map { Timestamp(nanoseconds: $0) }
  }

  /// The time of this many ticks, truncated to nanoseconds.
  func fileTime(ticks: UInt64) -> FileTime {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
    // rest < ticksPerSecond, so the quotient is below 10^9 and the division cannot overflow.
    let product = rest.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(ticksPerSecond.dividingFullWidth(product).quotient)
    return FileTime(seconds: seconds, offset: offsetSeconds, fraction: fraction)
  }
}
