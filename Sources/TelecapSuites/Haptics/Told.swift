/// Numbers as devices tell them.
enum Told {
  /// To four digits behind the point.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
    return "\((value * 10_000).rounded() / 10_000)"
  }
}
