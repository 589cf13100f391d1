import TelecapRecording

/// A number as decimal digits, as `printf("%d")` and `printf("%.2f")` write it: a whole number of the steps that its last digit counts.
/// `-9.05` with two places is the number −905. (`DecimalText` is for what people write: it rounds nothing, and knows no sign.)
enum DecimalDigits {
  /// A number, and whether it had more places than there are.
  struct Number: Hashable {
    var steps: Int32
    var isRounded: Bool
  }

  /// The number in some bytes, rounded to so many places; nil where they are no number of 32 bits. A sign, fewer places or more of
  /// them, and white space around the digits are read, as `strtod` and Python's `float` do; exponents are not.
  static func number(in bytes: RawSpan, _ range: Range<Int>, places: Int) -> Number? {
    var (index, end) = (max(0, range.lowerBound), min(range.upperBound, bytes.byteCount))
    while index < end, isSpace(byte(bytes, index)) { index += 1 }
    while index < end, isSpace(byte(bytes, end - 1)) { end -= 1 }
    let isNegative = index < end && byte(bytes, index) == UInt8(ascii: "-")
    if isNegative || index < end && byte(bytes, index) == UInt8(ascii: "+") { index += 1 }
    var (number, digits, read): (Int64, Int, Int) = (0, 0, 0)
    var (isAfterPoint, isRoundedUp, isRounded) = (false, false, false)
    while index < end {
      let byte = byte(bytes, index)
      index += 1
      if byte == UInt8(ascii: "."), !isAfterPoint {
        isAfterPoint = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      digits += 1
      let digit = Int64(byte - UInt8(ascii: "0"))
      if isAfterPoint, read >= places {
        if read == places { isRoundedUp = digit >= 5 }
        if digit > 0 { isRounded = true }
        read = places + 1
        continue
      }
      if isAfterPoint { read += 1 }
      number = number * 10 + digit
      guard number <= largest else { return nil }
    }
    guard digits > 0 else { return nil }
    for _ in min(read, places)..<places {
      number *= 10
      guard number <= largest else { return nil }
    }
    if isRoundedUp { number += 1 }
    return Int32(exactly: isNegative ? -number : number).map { Number(steps: $0, isRounded: isRounded) }
  }

  /// The digits of a number, with a point before the last `places` of them.
  static func text(_ number: Int64, places: Int) -> [UInt8] {
    var digits = Array(String(number.magnitude).utf8)
    if places > 0 {
      digits = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, places + 1 - digits.count)) + digits
      digits.insert(UInt8(ascii: "."), at: digits.count - places)
    }
    return (number < 0 ? [UInt8(ascii: "-")] : []) + digits
  }

  /// The maximum number of places: the largest numbers still have a digit before the point.
  static let mostPlaces = 9

  /// −2³¹ has the largest magnitude.
  private static let largest: Int64 = 1 << 31

  private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 { UInt8.read(bytes, at: index) ?? 0 }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension FieldType {
  /// The maximum number of places of a decimal number.
  public static var mostPlaces: Int { DecimalDigits.mostPlaces }

  /// Whether a message may hold what is no number in such a field: NaN, ∞, or letters in place of digits.
  public var mayHoldNoNumber: Bool { isFloat || isDecimal }

  /// Whether it is a number that is written as decimal digits.
  public var isDecimal: Bool { places != nil }

  /// The scale of a decimal number with digits after the point; nil of any other.
  public var decimalScale: Scale? {
    guard let places, places > 0 else { return nil }
    return Scale(factor: 1 / Double((0..<places).reduce(1) { power, _ in power * 10 }))
  }

  /// The number of digits after the point of a number that is written as decimal digits; nil of any other.
  public var places: Int? { if case .decimal(let places) = self { places } else { nil } }
}

extension FieldRow {
  /// Whether it takes all that is left of a message.
  public var takesRest: Bool { type == .rest || type.isDecimal && terminator == nil }

  /// Whether another value of it is not written over the bytes that are there: it may have another size.
  public var isRewritten: Bool { isCut || type.isDecimal }

  /// Whether its digits are those that telecap writes for their number, or `nan` or `inf`. Receivers differ in what they make of others:
  /// `1.50` with one place, `+1`, `1e3`, `1x`.
  public func hasUsualDigits(in bytes: RawSpan) -> Bool {
    guard let places = type.places, start(in: bytes) != nil else { return true }
    let digits = bytes.array(textRange(in: bytes))
    if let number = DecimalDigits.number(in: digits.span.bytes, 0..<digits.count, places: places) {
      return DecimalDigits.text(Int64(number.steps), places: places) == digits
    }
    return ["nan", "inf", "-inf"].contains { Array($0.utf8) == digits }
  }

  /// Its value; of digits that are no number, the text that is there.
  public func shownValue(in bytes: RawSpan) -> FieldValue? {
    if let value = value(in: bytes) { return value }
    return holdsNoNumber(bytes) ? .text(String(decoding: bytes.array(textRange(in: bytes)), as: UTF8.self)) : nil
  }

  /// Whether it is there, and its digits are no number.
  public func holdsNoNumber(_ bytes: RawSpan) -> Bool {
    type.isDecimal && value(in: bytes) == nil
      && (start(in: bytes).map { $0 < bytes.byteCount || takesRest && $0 == bytes.byteCount } ?? false)
  }

  /// The bytes of a text or a decimal number without the byte that ends it; none where it is missing.
  func textRange(in bytes: RawSpan) -> Range<Int> {
    let range = range(in: bytes)
    return range.lowerBound..<bytes.end(of: range, by: terminator?.byte)
  }
}
