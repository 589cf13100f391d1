import TelecapRecording

/// How the whole number of a field becomes the value that it stands for: the number times a factor, plus an offset.
public struct Scale: Hashable, Sendable {
  /// The value of one step.
  public let factor: Double
  /// The value of the number 0.
  public let offset: Double
  /// One divided by the factor, where that is a whole number: a division by 10 is exact where 0.1 is not.
  private let divisor: Double?

  /// A scale; the factor is not 0, and both are finite.
  public init(factor: Double, offset: Double = 0) {
    (self.factor, self.offset) = (factor, offset)
    let steps = 1 / factor
    let isWhole = steps.magnitude > 1 && (steps - steps.rounded()).magnitude <= 1e-12 * steps.magnitude
    divisor = isWhole ? steps.rounded() : nil
  }

  /// The value that a number of the wire stands for.
  public func value(of number: Double) -> Double { (divisor.map { number / $0 } ?? number * factor) + offset }

  /// The nearest number of the wire for a value; not rounded.
  public func number(of value: Double) -> Double { divisor.map { (value - offset) * $0 } ?? (value - offset) / factor }

  /// The numbers of the wire that stand for values of a range; a range without one holds none.
  public func numbers(of range: ClosedRange<Double>) -> ClosedRange<Double>? {
    let ends = [range.lowerBound, range.upperBound].map(number)
    let (low, high) = (Scale.rounded(min(ends[0], ends[1]), .up), Scale.rounded(max(ends[0], ends[1]), .down))
    return low <= high ? low...high : nil
  }

  /// Rounds to a whole number, the nearest one where only arithmetic keeps a number from being whole.
  private static func rounded(_ number: Double, _ rule: FloatingPointRoundingRule) -> Double {
    let nearest = number.rounded()
    return (number - nearest).magnitude <= 1e-9 * max(1, nearest.magnitude) ? nearest : number.rounded(rule)
  }
}

extension FieldRow {
  /// The type of its value in captures and comparisons: its own type, or a float64 if the number of the wire is scaled.
  public var valueType: FieldType { scale == nil ? type : .f64 }

  /// The same field without its scale, `angle_raw` of `angle`: the number as it is on the wire. Nil without a scale, and of a decimal
  /// number, whose places are no scale to those who read its digits.
  public var raw: FieldRow? {
    guard scale != nil, !type.isDecimal else { return nil }
    var raw = self
    (raw.name, raw.unit, raw.scale, raw.check, raw.rule) = ("\(name)_raw", "", nil, nil, .any)
    return raw
  }

  /// The field, and after a scaled one the number of the wire: what captures have columns for, and JSON keys.
  public var withRaw: [FieldRow] { [self] + (raw.map { [$0] } ?? []) }

  /// The value that these bits stand for.
  func scaled(_ bits: UInt64) -> Double? {
    scale.map { $0.value(of: type.isSigned ? Double(type.signed(bits)) : Double(bits)) }
  }

  /// The number of the wire for a value, as bits; the nearest one, and nil where the type does not hold it.
  public func bits(ofScaled value: Double) -> UInt64? {
    guard let scale, let number = Int64(exactly: scale.number(of: value).rounded()), type.holds(number) else {
      return nil
    }
    return UInt64(bitPattern: number) & .max >> UInt64(64 - type.bitCount)
  }

  /// The numbers of the wire that its range allows; of a field without a scale the range itself.
  public func numbers(of range: ClosedRange<Double>) -> ClosedRange<Double>? {
    scale.map { $0.numbers(of: range) } ?? range
  }
}
