/// Inverse sine and tangent in radians, without a C library, so that the bits are the same on every platform.
enum Arc {
  /// Half a turn.
  static let half = 3.141592653589793

  /// The angle of a sine, −π/2…π/2. A sine outside −1…1, a result of rounding, is clamped.
  static func sine(_ sine: Double) -> Double {
    let held = max(-1, min(1, sine))
    return tangent(held, ((1 - held) * (1 + held)).squareRoot())
  }

  /// The angle of the point (x, y) from the x axis towards y, −π…π; 0 for the origin.
  static func tangent(_ y: Double, _ x: Double) -> Double {
    if x == 0, y == 0 { return 0 }
    let first = abs(y) <= abs(x) ? small(abs(y) / abs(x)) : half / 2 - small(abs(x) / abs(y))
    let angle = x < 0 ? half - first : first
    return y < 0 ? -angle : angle
  }

  /// The angle of a tangent of 0…1: halved three times, then by its series.
  private static func small(_ tangent: Double) -> Double {
    var halved = tangent
    for _ in 0..<3 { halved /= 1 + (1 + halved * halved).squareRoot() }
    let square = halved * halved
    // The first omitted term is below 0.1²¹ / 21.
    var sum = 0.0
    for term in (0..<10).reversed() { sum = 1 / Double(2 * term + 1) - square * sum }
    return 8 * halved * sum
  }
}
