import TelecapConformance

extension Suites {
  /// Every suite that there is, in the order of semantics.md.
  public static let all = Suites([.tele, .mouse, .haptics])
}
