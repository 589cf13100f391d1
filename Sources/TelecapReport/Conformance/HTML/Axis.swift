import TelecapText

/// One axis of a picture: numbers onto places, and where its ticks are.
struct Axis {
  /// The shown values.
  let range: ClosedRange<Double>
  private let places: ClosedRange<Double>
  private let isUpward: Bool
  /// Round numbers within the range.
  let ticks: [Double]

  /// An axis that lays `range` onto `places`, with about so many ticks, no closer than `step`. Upward: greater numbers at
  /// smaller places, as on a screen.
  init(
    _ range: ClosedRange<Double>, onto places: ClosedRange<Double>, ticks count: Int, step: Double,
    isUpward: Bool = false
  ) {
    self.range = range
    self.places = places
    self.isUpward = isUpward
    let wanted = max(step, (range.upperBound - range.lowerBound) / Double(count))
    let size = Axis.roundStep(atLeast: wanted)
    let first = (range.lowerBound / size).rounded(.up)
    let last = (range.upperBound / size).rounded(.down)
    ticks = stride(from: first, through: min(last, first + 50), by: 1).map { $0 * size }
  }

  /// Where a number lies; what is outside of the range lies at its edge, an infinity too.
  func place(_ value: Double) -> Double {
    let width = range.upperBound - range.lowerBound
    guard width > 0 else { return places.lowerBound }
    let share = (max(range.lowerBound, min(range.upperBound, value)) - range.lowerBound) / width
    let length = places.upperBound - places.lowerBound
    return isUpward ? places.upperBound - share * length : places.lowerBound + share * length
  }

  /// A place to half a point: finer is not seen, and makes files long.
  static func round(_ place: Double) -> Double { (place * 2).rounded() / 2 }

  /// A tick's number without a needless fraction.
  static func text(_ value: Double) -> String {
    let places = [0, 1, 2].first { Double(Numbers.fixed(value, $0)).map { abs($0 - value) < 1e-9 } ?? false } ?? 3
    return Numbers.fixed(value, places)
  }

  /// 1, 2 or 5 times a power of ten.
  private static func roundStep(atLeast wanted: Double) -> Double {
    var power = 1.0
    while power * 10 <= wanted { power *= 10 }
    while power > wanted, power > 1e-9 { power /= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= wanted * (1 - 1e-9) } ?? power * 10
  }
}
