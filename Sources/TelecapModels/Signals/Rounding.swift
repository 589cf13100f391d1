/// Rounding without the C library, which a program that uses only the standard library does not link on Linux.
extension Int {
  /// The whole number nearest to `value`, halves away from 0; NaN is 0, what does not fit is clamped.
  init(nearest value: Double) {
    guard abs(value) < 4_503_599_627_370_496 else {
      self = value.isNaN ? 0 : Int(clamping: value > 0 ? Int64.max : Int64.min)
      return
    }
    let whole = Int(value)
    let rest = value - Double(whole)
    self = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }
}
