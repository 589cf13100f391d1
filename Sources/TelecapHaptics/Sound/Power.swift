/// Powers without a C library, so that the bits are the same on every platform.
enum Power {
  private static let logarithmOfTwo = 0.6931471805599453

  /// `base` to the power of `exponent`, for a base above 0; relative error below 1e-12 where the result is 1e-30 to 1e30.
  static func of(_ base: Double, _ exponent: Double) -> Double { exponential(exponent * logarithm(base)) }

  /// The natural logarithm of a number above 0.
  static func logarithm(_ number: Double) -> Double {
    var significand = number.significand
    var exponent = Double(number.exponent)
    if significand > 1.4142135623730951 { (significand, exponent) = (significand / 2, exponent + 1) }
    // ln m = 2 artanh((m − 1) / (m + 1)), the argument within ±0.1716.
    let argument = (significand - 1) / (significand + 1)
    let square = argument * argument
    var sum = 0.0
    for term in (0..<12).reversed() { sum = 1 / Double(2 * term + 1) + square * sum }
    return 2 * argument * sum + exponent * logarithmOfTwo
  }

  /// e to the power of `exponent`; 0 and ∞ outside the range of a Double.
  static func exponential(_ exponent: Double) -> Double {
    guard exponent > -745 else { return 0 }
    guard exponent < 709 else { return .infinity }
    let whole = Int64((exponent / logarithmOfTwo) + (exponent < 0 ? -0.5 : 0.5))
    let rest = exponent - Double(whole) * logarithmOfTwo
    var sum = 1.0
    for term in (1...18).reversed() { sum = 1 + rest / Double(term) * sum }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }
}
