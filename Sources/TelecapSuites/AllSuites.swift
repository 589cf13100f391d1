import TelecapConformance

extension Suites {
  /// All suites, in the order of semantics.md.
  public static let all = Suites([.tele, .mouse, .haptics])
}
