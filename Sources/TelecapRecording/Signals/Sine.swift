/// Sine and cosine with additions and multiplications only, without a C library, so that the bits are the same on every
/// platform.
public enum Sine {
  /// sin(2π · turns), within 1e-12 of the true value (the first omitted term is below (π/2)¹⁹/19! = 5e-14). NaN, ∞ and
  /// numbers too large for a fraction give 0.
  public static func sine(turns: Double) -> Double {
    guard abs(turns) < 9e15 else { return 0 }
    // Not `rounded`, which is a function of the C math library on Linux.
    let whole = Double(Int64(turns))
    let fraction = turns - (whole > turns ? whole - 1 : whole)
    // Fold the turn onto a quarter on either side of 0: −0.25…0.25.
    let folded = fraction < 0.25 ? fraction : fraction < 0.75 ? 0.5 - fraction : fraction - 1
    let x = folded * 6.283185307179586
    let square = x * x
    var term = x
    var sum = x
    for step in 1...8 {
      term *= -square / Double((2 * step) * (2 * step + 1))
      sum += term
    }
    return sum
  }

  /// cos(2π · turns), with the same precision.
  public static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
}
