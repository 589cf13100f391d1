/// How often something passed when it was repeated, and where its true rate lies.
public struct PassRate: Hashable, Sendable {
  /// How often it passed.
  public let passed: Int
  /// How often it ran.
  public let total: Int

  /// A rate; what makes no sense is held to 0…`total`.
  public init(passed: Int, of total: Int) {
    self.total = max(0, total)
    self.passed = max(0, min(self.total, passed))
  }

  /// The share that passed, 0…1; nil when nothing ran.
  public var share: Double? { total > 0 ? Double(passed) / Double(total) : nil }

  /// The 97.5 % point of the normal distribution: an interval of ± this many deviations holds 95 %.
  public static let deviationsFor95Percent = 1.959963984540054

  /// Wilson's score interval: the true rate lies in it with 95 % confidence unless another number of deviations is asked
  /// for. Nothing is known when nothing ran: 0…1 (E. B. Wilson, Probable Inference, the Law of Succession, and
  /// Statistical Inference, 1927).
  public func interval(deviations z: Double = PassRate.deviationsFor95Percent) -> ClosedRange<Double> {
    guard let share else { return 0...1 }
    let count = Double(total)
    let scale = 1 + z * z / count
    let middle = (share + z * z / (2 * count)) / scale
    let half = z / scale * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    // The ends are exact where everything passed or nothing did; rounding must not move them.
    let low = passed == 0 ? 0 : max(0, middle - half)
    let high = passed == total ? 1 : min(1, middle + half)
    return low...high
  }
}

extension ScenarioResult {
  /// How many of the seeds passed, when each was run with every combination; nil unless every case was judged: a case
  /// that was not is no pass, and no failure either.
  public var passRate: PassRate? {
    let judged = counts[.pass, default: 0] + counts[.fail, default: 0]
    guard cases > 0, judged == cases else { return nil }
    return PassRate(passed: seeds.values.count { $0.failed == 0 }, of: seeds.count)
  }
}
