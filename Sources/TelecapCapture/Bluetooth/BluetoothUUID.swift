import TelecapRecording

/// The UUID of a service or a characteristic (Bluetooth Core Specification, Vol 3, Part B, 2.5.1).
struct BluetoothUUID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A characteristic's declaration (Vol 3, Part G, 3.3.1).
  static let characteristic = BluetoothUUID(short: 0x2803)

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// A 16-bit UUID, short for one with the Bluetooth base.
  init(short: UInt16) { self.init(high: UInt64(short) << 32 | 0x1000, low: 0x8000_0080_5f9b_34fb) }

  /// Whether it is that of a declaration or a descriptor, not of a characteristic (Assigned Numbers, 3.5 to 3.7).
  var isDescription: Bool { short.map { (0x2800..<0x2a00).contains($0) } ?? false }

  /// The 16-bit form; nil if there is none.
  private var short: UInt16? {
    let number = UInt16(truncatingIfNeeded: high >> 32)
    return self == BluetoothUUID(short: number) ? number : nil
  }

  /// The usual text form, in lower case.
  var text: String {
    if let short { return Hex.text(short, digits: 4) }
    let all = Hex.text(high, digits: 16) + Hex.text(low, digits: 16)
    var rest = all[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// A UUID of two or sixteen bytes, least significant first; nil for other counts.
  init?(_ bytes: RawSpan) {
    switch bytes.byteCount {
    case 2: self.init(short: bytes.little16(0))
    case 16:
      func number(_ last: Int) -> UInt64 { (0..<8).reduce(0) { $0 << 8 | UInt64(bytes.byte(last - $1)) } }
      self.init(high: number(15), low: number(7))
    default: return nil
    }
  }

  /// Parses `12345678-1234-1234-1234-123456789abc`, or four digits; nil for other text.
  init?(_ text: String) {
    let digits = text.split(separator: "-", omittingEmptySubsequences: false)
    if digits.count == 1, text.utf8.count == 4, let short = UInt16(text, radix: 16) {
      self.init(short: short)
      return
    }
    let whole = digits.joined()
    guard digits.map(\.utf8.count) == [8, 4, 4, 4, 12],
      whole.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let high = UInt64(whole.prefix(16), radix: 16), let low = UInt64(whole.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

extension RawSpan {
  /// The six bytes of a device's address at `at`, least significant first.
  func deviceAddress(_ at: Int) -> UInt64 { (0..<6).reduce(0) { $0 << 8 | UInt64(byte(at + 5 - $1)) } }
}
