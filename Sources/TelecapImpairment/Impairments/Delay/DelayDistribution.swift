/// How the jitter of a delay is spread: netem's four laws, in units of the jitter J.
public enum DelayDistribution: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Every value of D − J … D + J alike.
  case uniform
  /// Gauss's, with J as its standard deviation; nothing beyond 3.7 J.
  case normal
  /// Pareto's with α = 3, as iproute2 scales it: (u^(−1/3) − 1.5) · 4/3, cut at 4 J. From −0.67 J up; mean −0.03 J,
  /// standard deviation 0.82 J.
  case pareto
  /// A quarter of normal and three quarters of pareto, quantile by quantile.
  case paretonormal

  /// `uniform`, `normal`, `pareto` or `paretonormal`.
  public var description: String { rawValue }

  /// Reads the name.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    guard let match = DelayDistribution(rawValue: text.trimmed) else {
      throw ImpairmentSyntaxError(
        text, "is not a distribution", expected: "uniform, normal, pareto or paretonormal")
    }
    self = match
  }

  /// The law's quantiles; nil for uniform, which needs none.
  var table: QuantileTable? {
    switch self {
    case .uniform: nil
    case .normal: .normal
    case .pareto: .pareto
    case .paretonormal: .paretonormal
    }
  }
}
