/// The distribution of jitter: netem's four, in units of the jitter J.
public enum DelayDistribution: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// All values of D − J … D + J with equal probability.
  case uniform
  /// Normal, with J as its standard deviation; truncated at 3.7 J.
  case normal
  /// Pareto with α = 3, scaled as in iproute2: (u^(−1/3) − 1.5) · 4/3, truncated at 4 J. From −0.67 J up; mean −0.03 J,
  /// standard deviation 0.82 J.
  case pareto
  /// A quarter of normal and three quarters of pareto, quantile by quantile.
  case paretonormal

  /// `uniform`, `normal`, `pareto` or `paretonormal`.
  public var description: String { rawValue }

  /// Parses the name.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    guard let match = DelayDistribution(rawValue: text.trimmed) else {
      throw ImpairmentSyntaxError(
        text, "is not a distribution", expected: "uniform, normal, pareto or paretonormal")
    }
    self = match
  }

  /// The quantiles of the distribution; nil for uniform, which needs none.
  var table: QuantileTable? {
    switch self {
    case .uniform: nil
    case .normal: .normal
    case .pareto: .pareto
    case .paretonormal: .paretonormal
    }
  }
}
