import TelecapText

/// The maximum decimals and digits of a program's printed numbers, to which it may have rounded them.
public struct PrintedPrecision: Hashable, Sendable {
  /// The maximum number of digits after the point; negative where an exponent omits digits before it.
  public private(set) var decimals: Int
  /// The maximum number of significant digits.
  public private(set) var digits: Int

  /// A precision of this many decimals for numbers of any size.
  public init(decimals: Int) { (self.decimals, digits) = (decimals, .max) }

  /// The precision of one printed number; nil where the text is no decimal number.
  public init?(of text: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "eE".contains($0) }
    guard let mantissa = parts.first, let power = parts.count > 1 ? Int(parts[1]) : 0, power.magnitude <= 400 else {
      return nil
    }
    let unsigned = mantissa.drop { "+-".contains($0) }
    let halves = unsigned.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let all = halves.joined()
    guard !all.isEmpty, all.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    decimals = (halves.count > 1 ? halves[1].count : 0) - power
    digits = all.drop { $0 == "0" }.count
  }

  /// Adds the precision of another number.
  public mutating func merge(_ other: PrintedPrecision) {
    decimals = max(decimals, other.decimals)
    digits = max(digits, other.digits)
  }

  /// The unit of the last digit of a printed number: the coarser of decimals and significant digits, since either may
  /// be the one that the program rounds to.
  public func unit(of number: Double) -> Double {
    let own = Powers.ten(-decimals)
    guard digits > 0, digits < 400, number != 0, number.isFinite else { return own }
    return max(own, Powers.ten(Powers.decade(of: number) + 1 - digits))
  }
}

/// The tolerance for a printed number because of rounding (semantics, Verdicts: what a system prints is compared within
/// the precision that it prints with).
public struct RoundingTolerance: Hashable, Sendable {
  /// The precision of the output.
  let precision: PrintedPrecision
  /// The factor of the printed number; not 0.
  let factor: Double
  /// Whether the number may have been truncated instead of rounded.
  let isCut: Bool

  /// The maximum difference for this number, in our unit.
  func allowed(for shown: Double) -> Double {
    let unit = precision.unit(of: factor == 1 ? shown : shown / factor) * factor.magnitude
    // Rounding is off by at most half a unit, and truncation by less than one. Doubles add a little.
    return isCut ? unit * (1 - 1e-9) : unit * (0.5 + 1e-6)
  }
}

/// Powers of ten without a library of mathematics.
private enum Powers {
  static func ten(_ power: Int) -> Double {
    let value = (0..<min(power.magnitude, 400)).reduce(1.0) { value, _ in value * 10 }
    return power < 0 ? 1 / value : value
  }

  /// The power of ten of the first digit of a number that is finite and not 0.
  static func decade(of number: Double) -> Int {
    var (rest, power) = (number.magnitude, 0)
    while rest >= 10 { (rest, power) = (rest / 10, power + 1) }
    while rest < 1 { (rest, power) = (rest * 10, power - 1) }
    return power
  }
}
