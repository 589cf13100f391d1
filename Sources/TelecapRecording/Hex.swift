/// Hexadecimal text.
public enum Hex {
  /// Two lower-case digits a byte.
  public static func text(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      if !digits.isEmpty { digits.append(contentsOf: separator.utf8) }
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// A number with at least this many digits.
  public static func text(_ number: some UnsignedInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Parses hexadecimal text; white space, `:` and a leading `0x` are ignored. Nil for other characters, and for an odd
  /// number of digits.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let bare = text.hasPrefix("0x") ? text.dropFirst(2)[...] : text[...]
    let digits = String(bare.filter { !$0.isWhitespace && $0 != ":" })
    guard digits.utf8.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    var high: UInt8?
    for character in digits {
      guard let value = character.hexDigitValue, character.isASCII else { return nil }
      if let first = high {
        result.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}
