import TelecapText

/// In which units programs show what they are told, and how near a number that was printed is to one that was sent.
enum Scale {
  /// What a measure that is shown may have to be multiplied by: first as it is, then in thousandths, per cent, steps of a motor,
  /// inches and feet; each also the other way round.
  static let measures: [Double] = units.flatMap { unit in [unit, -unit] }

  private static let units: [Double] = [
    1, 0.001, 0.01, 0.1, 1e-6, 10, 100, 1_000, 1 / 255, 1 / 1_023, 1 / 65_535, 0.0254, 0.3048,
  ]

  /// The same of a time in µs: shown in µs, ms, s or ns.
  static let times: [Double] = [1, 1_000, 1_000_000, 0.001]

  /// The factors by which a value may be shown.
  static func factors(for known: KnownValue) -> [Double] {
    switch known {
    case .measure: measures
    case .microseconds: times
    case .whole: [1]
    case .distance: [1, -1]
    case .flag, .text: []
    }
  }

  /// The coarsest rounding that is still taken for the value, in our unit: nothing coarser tells two poses apart.
  private static let coarsest = 0.006
  /// Whole numbers of units that are finer than this are steps: the 255th of a motor's.
  private static let fine = 0.004

  /// Whether what was printed is the value: within half of its last decimal, and what a float of 32 bits can hold.
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
      // Steps of a motor are counted whole: some programs cut what is less than one.
      let isCut = factor.magnitude < fine && !printed.printed.contains(".")
      return difference <= max((isCut ? 1.01 : 0.51) * unit, 1e-6 * sent.magnitude)
    case .distance, .flag, .text: return false
    }
  }

  /// How far what is printed may be from the number itself, in the unit in which it is printed.
  static func reach(of printed: JSONNode, _ number: Double) -> Double {
    max(1.01 * unit(of: printed.printed), 2e-6 * number.magnitude)
  }

  /// What the last printed digit counts: 0.001 for `1.250`.
  private static func unit(of text: String) -> Double {
    let parts = text.split(whereSeparator: { "eE".contains($0) })
    let decimals = parts.first?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let exponent = min(max(power, -400), 400) - decimals
    return (0..<min(exponent.magnitude, 400)).reduce(1.0) { unit, _ in exponent < 0 ? unit / 10 : unit * 10 }
  }
}
