/// The numbers that a type holds.
extension FieldType {
  /// Whether it is a number, in bytes or in digits.
  public var isNumber: Bool { isFloat || isWhole }

  /// Whether it is a floating-point number.
  public var isFloat: Bool { self == .f32 || self == .f64 }

  /// Whether it is a whole number.
  public var isWhole: Bool {
    switch self {
    case .u8, .u16, .u24, .u32, .u64, .bits: true
    default: isSigned
    }
  }

  /// Whether it is a whole number in two's complement.
  public var isSigned: Bool {
    switch self {
    case .i8, .i16, .i24, .i32, .i64, .decimal: true
    default: false
    }
  }

  /// The width of a number.
  public var bitCount: Int {
    if case .bits(let slice) = self { return slice.count }
    if isDecimal { return 32 }
    return isNumber ? 8 * (size ?? 0) : 0
  }

  /// The smallest whole number that it holds; 0 of what is no whole number.
  public var smallest: Int64 { isSigned ? .min >> Int64(64 - bitCount) : 0 }

  /// The largest one.
  public var largest: UInt64 { isWhole ? .max >> UInt64(64 - bitCount + (isSigned ? 1 : 0)) : 0 }

  /// Whether it is a whole number and holds this one.
  public func holds(_ number: Int64) -> Bool {
    isWhole && number >= smallest && (number < 0 || UInt64(number) <= largest)
  }

  /// Bits of a whole number in two's complement as a number.
  public func signed(_ bits: UInt64) -> Int64 {
    let unused = UInt64(64 - max(8, bitCount))
    return Int64(bitPattern: bits << unused) >> Int64(unused)
  }
}
