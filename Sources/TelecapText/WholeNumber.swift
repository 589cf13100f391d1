/// A whole number of at most 64 bits, signed or unsigned, with all digits: a Double is exact only up to 2⁵³.
public struct WholeNumber: Hashable, Sendable {
  /// Whether it is below 0.
  public let isNegative: Bool
  /// The absolute value.
  public let magnitude: UInt64

  /// The maximum up to which a Double represents every whole number: 2⁵³.
  public static let exactInDouble: UInt64 = 1 << 53

  private init(isNegative: Bool, magnitude: UInt64) {
    self.isNegative = isNegative && magnitude > 0
    self.magnitude = magnitude
  }

  /// The number.
  public init(_ value: some FixedWidthInteger & Sendable) {
    self.init(isNegative: value < 0, magnitude: UInt64(truncatingIfNeeded: value.magnitude))
  }

  /// Parses decimal digits, with or without a sign; nil for other text, and for a number beyond 64 bits.
  public init?(_ text: some StringProtocol) {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    guard text.utf8.count - digits.count <= 1, digits.allSatisfy({ (48...57).contains($0) }),
      let magnitude = UInt64(String(decoding: digits, as: UTF8.self)),
      !isNegative || magnitude <= Int64.min.magnitude
    else { return nil }
    self.init(isNegative: isNegative, magnitude: magnitude)
  }

  /// The number of a Double; nil if it has decimals, or is so large that other whole numbers give the same Double.
  public init?(exactly value: Double) {
    guard value.magnitude <= Double(WholeNumber.exactInDouble), value == value.rounded() else { return nil }
    self.init(isNegative: value < 0, magnitude: UInt64(value.magnitude))
  }

  /// The unsigned number; nil if it is below 0.
  public var unsigned: UInt64? { isNegative ? nil : magnitude }

  /// The signed number; nil if it does not fit into 64 bits with a sign.
  public var signed: Int64? {
    isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(exactly: magnitude)
  }

  /// The nearest double.
  public var double: Double { isNegative ? -Double(magnitude) : Double(magnitude) }

  /// The number with the opposite sign; nil if it does not fit into 64 bits.
  public var negated: WholeNumber? {
    isNegative || magnitude <= Int64.min.magnitude ? WholeNumber(isNegative: !isNegative, magnitude: magnitude) : nil
  }

  /// Whether it is `other`, or its rounded form in the output of a program that computes in doubles: all digits of the
  /// nearest Double, or its shortest form with zeros after it, as JavaScript prints it. A number that a Double
  /// represents exactly is not a rounding of another.
  public func isRounding(of other: WholeNumber) -> Bool {
    if self == other { return true }
    guard isNegative == other.isNegative, other.magnitude > WholeNumber.exactInDouble else { return false }
    let double = Double(other.magnitude)
    return UInt64(exactly: double) == magnitude || WholeNumber.shortest(double) == magnitude
  }

  /// The number of a Double's shortest form: 9223372036854776000 for `9.223372036854776e+18`.
  private static func shortest(_ value: Double) -> UInt64? {
    let parts = "\(value)".split(separator: "e", maxSplits: 1)
    guard parts.count == 2, let power = Int(parts[1]), let mantissa = parts.first else { return nil }
    let decimals =
      mantissa.split(separator: ".", maxSplits: 1).dropFirst().first.map { $0 == "0" ? "" : String($0) } ?? ""
    let whole = mantissa.prefix { $0 != "." }
    guard power >= decimals.count else { return nil }
    return UInt64(whole + decimals + String(repeating: "0", count: power - decimals.count))
  }
}

extension WholeNumber: CustomStringConvertible {
  /// The decimal digits, with a `-` if it is below 0.
  public var description: String { isNegative ? "-\(magnitude)" : "\(magnitude)" }
}
