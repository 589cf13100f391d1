/// Exact conversion of decimal numbers and text, without floating point.
public enum DecimalText {
  /// The reason why text is not a number of this kind.
  public enum Failure: Error {
    /// It has other characters than digits and one point.
    case notANumber
    /// It has more decimal places than the unit.
    case tooFine
    /// It exceeds 64 bits.
    case tooLarge
  }

  /// `text` times `scale`, a power of ten: `1.5` at 1000 is 1500.
  public static func parse(_ text: Substring, scale: UInt64) throws(Failure) -> UInt64 {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty else {
      throw .notANumber
    }
    var total: UInt64 = 0
    for byte in whole.utf8 { total = try sum(product(total, 10), UInt64(digit(byte))) }
    total = try product(total, scale)
    guard parts.count == 2 else { return total }
    var place = scale
    for byte in parts[1].utf8 {
      let digit = try digit(byte)
      place /= 10
      if place == 0, digit != 0 { throw .tooFine }
      total = try sum(total, UInt64(digit) * place)
    }
    return total
  }

  /// `value` divided by `scale`, a power of ten, without trailing zeros: 1500 at 1000 is `1.5`.
  public static func text(_ value: UInt64, scale: UInt64) -> String {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: scale)
    if rest == 0 { return String(whole) }
    var decimals = String(String(rest + scale).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }

  private static func digit(_ byte: UInt8) throws(Failure) -> UInt8 {
    guard (48...57).contains(byte) else { throw .notANumber }
    return byte - 48
  }

  private static func product(_ left: UInt64, _ right: UInt64) throws(Failure) -> UInt64 {
    let (result, overflow) = left.multipliedReportingOverflow(by: right)
    if overflow { throw .tooLarge }
    return result
  }

  private static func sum(_ left: UInt64, _ right: UInt64) throws(Failure) -> UInt64 {
    let (result, overflow) = left.addingReportingOverflow(right)
    if overflow { throw .tooLarge }
    return result
  }
}
