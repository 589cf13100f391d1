/// A distribution in netem's form: 4096 quantiles as integers in units of 1/8192 (NETEM_DIST_SCALE), of which a random
/// number selects one. The distributions are those of iproute2's netem/normal.c, pareto.c and paretonormal.c; each
/// quantile is taken in the middle of its step, so that the normal distribution is symmetrical.
///
/// The tables are computed with + − × ÷ only, which IEEE 754 rounds identically on all platforms, and then rounded to
/// integers.
struct QuantileTable: Sendable {
  /// 4096 values, ascending.
  let values: [Int32]

  static let size = 4096
  static let scale: Int64 = 8192
  /// The maximum of a 16-bit table, which truncates the long tail of the Pareto distribution at 4.
  private static let largest = 32_767.0

  static let normal = QuantileTable { normalQuantile($0) * Double(scale) }
  static let pareto = QuantileTable { paretoQuantile($0) * Double(scale) }
  static let paretonormal = QuantileTable { fraction in
    let tail = min(paretoQuantile(fraction) * Double(scale), largest)
    return (normalQuantile(fraction) * Double(scale) + 3 * tail) / 4
  }

  private init(_ quantile: (Double) -> Double) {
    values = (0..<QuantileTable.size).map { step in
      let value = quantile((Double(step) + 0.5) / Double(QuantileTable.size))
      let held = min(max(value, -QuantileTable.largest), QuantileTable.largest)
      return Int32(held < 0 ? held - 0.5 : held + 0.5)
    }
  }

  /// `jitter` times the quantile that 64 random bits select, rounded to the nearest nanosecond.
  @inline(__always)
  func sample(jitter: Int64, bits: UInt64) -> Int64 {
    let product = jitter * Int64(values[Int(bits >> 52)])
    return (product + QuantileTable.scale / 2) >> 13
  }

  /// (q^(−1/3) − 1.5) · 4/3 with q = 1 − fraction. Newton's method for y³ = 1/q from below: y ← y · (4 − q · y³) / 3.
  private static func paretoQuantile(_ fraction: Double) -> Double {
    let rest = 1 - fraction
    var root = 1.0
    for _ in 0..<60 { root = root * (4 - rest * root * root * root) / 3 }
    return (root - 1.5) * 4 / 3
  }

  /// The x at which the normal distribution function is `fraction`: Newton's method from 0, on the lower half, where it
  /// cannot overshoot.
  private static func normalQuantile(_ fraction: Double) -> Double {
    if fraction > 0.5 { return -normalQuantile(1 - fraction) }
    var x = 0.0
    for _ in 0..<40 {
      let density = normalDensity(x)
      x -= (normalBelow(x, density: density) - fraction) / density
    }
    return x
  }

  /// The distribution function as a series: ½ + φ(x) · (x + x³/3 + x⁵/15 + …) (Marsaglia, Evaluating the normal
  /// distribution, 2004).
  private static func normalBelow(_ x: Double, density: Double) -> Double {
    var term = x
    var sum = x
    var odd = 3.0
    while sum + term != sum || odd < 10 {
      term = term * x * x / odd
      sum += term
      odd += 2
    }
    return 0.5 + density * sum
  }

  /// exp(−x²/2) / √(2π), the exponential as the 256th power of a short series.
  private static func normalDensity(_ x: Double) -> Double {
    let exponent = -x * x / 512
    var term = 1.0
    var power = 1.0
    for step in 1...16 {
      term = term * exponent / Double(step)
      power += term
    }
    for _ in 0..<8 { power *= power }
    return power * 0.398_942_280_401_432_7
  }
}
