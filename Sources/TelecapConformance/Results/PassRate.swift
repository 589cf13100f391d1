/// The share of passes in repeated runs, and the interval of its true rate.
public struct PassRate: Hashable, Sendable {
  /// The number of passes.
  public let passed: Int
  /// The number of runs.
  public let total: Int

  /// A rate; the numbers are clamped to 0…`total`.
  public init(passed: Int, of total: Int) {
    self.total = max(0, total)
    self.passed = max(0, min(self.total, passed))
  }

  /// The share that passed, 0…1; nil when nothing ran.
  public var share: Double? { total > 0 ? Double(passed) / Double(total) : nil }

  /// The 97.5 % point of the normal distribution: ± this many deviations include 95 %.
  public static let deviationsFor95Percent = 1.959963984540054

  /// Wilson's score interval, which includes the true rate with 95 % confidence by default; 0…1 without runs (E. B.
  /// Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927).
  public func interval(deviations z: Double = PassRate.deviationsFor95Percent) -> ClosedRange<Double> {
    guard let share else { return 0...1 }
    let count = Double(total)
    let scale = 1 + z * z / count
    let middle = (share + z * z / (2 * count)) / scale
    let half = z / scale * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    // Keep exact ends if all or none passed: rounding must not move them.
    let low = passed == 0 ? 0 : max(0, middle - half)
    let high = passed == total ? 1 : min(1, middle + half)
    return low...high
  }
}

extension ScenarioResult {
  /// The share of seeds that passed with every combination; nil unless every case is a pass or a failure.
  public var passRate: PassRate? {
    let judged = counts[.pass, default: 0] + counts[.fail, default: 0]
    guard cases > 0, judged == cases else { return nil }
    return PassRate(passed: seeds.values.count { $0.failed == 0 }, of: seeds.count)
  }
}
