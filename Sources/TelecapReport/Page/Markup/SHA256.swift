/// SHA-256 (FIPS 180-4, 6.2): a policy names the script and the style of a page by it.
enum SHA256 {
  /// The digest of some bytes, 32 of them.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: 64) { compress(&state, padded[start..<start + 64]) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3): computed, as
  /// they are defined, in whole numbers.
  private static let primes: [UInt64] = (2...311).filter { n in !(2..<n).contains { n.isMultiple(of: $0) } }
  private static let initial: [UInt32] = primes.prefix(8).map { fraction(of: $0, isRoot: squareFits) }
  private static let constants: [UInt32] = primes.map { fraction(of: $0, isRoot: cubeFits) }

  /// The greatest root × 2³² whose power fits below the prime; its low 32 bits are the fraction.
  private static func fraction(of prime: UInt64, isRoot fits: (UInt64, UInt64) -> Bool) -> UInt32 {
    var root: UInt64 = 0
    for bit in stride(from: 37 as UInt64, through: 0, by: -1) where fits(root | 1 << bit, prime) { root |= 1 << bit }
    return UInt32(truncatingIfNeeded: root)
  }

  private static func squareFits(_ root: UInt64, _ prime: UInt64) -> Bool {
    let square = root.multipliedFullWidth(by: root)
    return square.high < prime || square.high == prime && square.low == 0
  }

  private static func cubeFits(_ root: UInt64, _ prime: UInt64) -> Bool {
    let square = root.multipliedFullWidth(by: root)
    let low = square.low.multipliedFullWidth(by: root)
    let high = square.high.multipliedReportingOverflow(by: root)
    let (middle, carries) = high.partialValue.addingReportingOverflow(low.high)
    // In units of 2⁻⁹⁶: the prime is at bit 96.
    return !high.overflow && !carries && (middle >> 32) < prime
  }

  private static func padded(_ message: [UInt8]) -> [UInt8] {
    let zeros = (119 - message.count % 64) % 64
    let bits = UInt64(message.count) * 8
    return message + [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<64 {
      let (near, far) = (words[place - 2], words[place - 15])
      let small = rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
      let large = rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
      words.append(words[place - 16] &+ small &+ words[place - 7] &+ large)
    }
    var v = state
    for place in 0..<64 {
      let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
      let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
      let first =
        v[7] &+ (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) &+ choice &+ constants[place] &+ words[place]
      let second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) &+ majority
      v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for place in state.indices { state[place] = state[place] &+ v[place] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
