/// The checksum of IP, UDP and TCP: the complement of the ones' complement sum of 16-bit words (RFC 1071).
struct InternetChecksum {
  private var sum: UInt64 = 0

  /// Adds a number of 16 bits.
  @inline(__always)
  mutating func add(_ word: UInt16) { sum &+= UInt64(word) }

  /// Adds a number of 32 bits as two words.
  @inline(__always)
  mutating func add(_ words: UInt32) { sum &+= UInt64(words >> 16) &+ UInt64(words & 0xffff) }

  /// Adds an address of four or sixteen bytes.
  @inline(__always)
  mutating func add(high: UInt64, low: UInt64) {
    add(UInt32(truncatingIfNeeded: high >> 32))
    add(UInt32(truncatingIfNeeded: high))
    add(UInt32(truncatingIfNeeded: low >> 32))
    add(UInt32(truncatingIfNeeded: low))
  }

  /// Adds bytes, padded with a zero to an even number.
  @inline(__always)
  mutating func add(_ bytes: RawSpan) {
    var at = 0
    while at + 4 <= bytes.byteCount {
      add(bytes.big32(at))
      at += 4
    }
    while at + 2 <= bytes.byteCount {
      add(bytes.big16(at))
      at += 2
    }
    if at < bytes.byteCount { add(UInt16(bytes.byte(at)) << 8) }
  }

  /// The checksum of all added words.
  var value: UInt16 {
    var folded = sum
    while folded > 0xffff { folded = (folded >> 16) &+ (folded & 0xffff) }
    return ~UInt16(truncatingIfNeeded: folded)
  }
}
