import TelecapText

/// The units in which programs print values, and the tolerance between a printed and a sent number.
enum Scale {
  /// The factors from a printed to a sent measure: unchanged, thousandths, per cent, steps of a motor, inches and feet;
  /// each also negative.
  static let measures: [Double] = units.flatMap { unit in [unit, -unit] }

  private static let units: [Double] = [
    1, 0.001, 0.01, 0.1, 1e-6, 10, 100, 1_000, 1 / 255, 1 / 1_023, 1 / 65_535, 0.0254, 0.3048,
  ]

  /// The factors of a time in µs: printed in µs, ms, s or ns.
  static let times: [Double] = [1, 1_000, 1_000_000, 0.001]

  /// The factors for a value.
  static func factors(for known: KnownValue) -> [Double] {
    switch known {
    case .measure: measures
    case .microseconds: times
    case .whole: [1]
    case .distance: [1, -1]
    case .flag, .text: []
    }
  }

  /// The coarsest accepted rounding, in our unit: coarser output cannot discriminate two poses.
  private static let coarsest = 0.006
  /// Whole numbers of finer units than this are steps, such as 1/255 of a motor.
  private static let fine = 0.004

  /// Whether a printed number is the value, within half of its last decimal and the precision of a 32-bit float.
  static func isShown(_ printed: JSONNode, times factor: Double, as known: KnownValue) -> Bool {
    guard let sent = known.number, let shown = printed.meantNumber, shown.isFinite, sent.isFinite else { return false }
    let difference = (shown * factor - sent).magnitude
    switch known {
    case .whole: return difference == 0
    case .microseconds: return difference <= max(1e-10 * sent, 0.51 * unit(of: printed.printed) * factor.magnitude)
    // 0 is 0 in every unit.
    case .measure where sent == 0: return shown == 0
    case .measure:
      let unit = unit(of: printed.printed) * factor.magnitude
      if 0.51 * unit > coarsest { return false }
      // Motor steps are integers: some programs truncate instead of rounding.
      let isCut = factor.magnitude < fine && !printed.printed.contains(".")
      return difference <= max((isCut ? 1.01 : 0.51) * unit, 1e-6 * sent.magnitude)
    case .distance, .flag, .text: return false
    }
  }

  /// The maximum difference between a printed number and its value, in the printed unit.
  static func reach(of printed: JSONNode, _ number: Double) -> Double {
    max(1.01 * unit(of: printed.printed), 2e-6 * number.magnitude)
  }

  /// The value of the last printed digit: 0.001 for `1.250`.
  private static func unit(of text: String) -> Double {
    let parts = text.split(whereSeparator: { "eE".contains($0) })
    let decimals = parts.first?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let exponent = min(max(power, -400), 400) - decimals
    return (0..<min(exponent.magnitude, 400)).reduce(1.0) { unit, _ in exponent < 0 ? unit / 10 : unit * 10 }
  }
}
