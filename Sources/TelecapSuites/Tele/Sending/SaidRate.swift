import TelecapConformance

/// The declared HAPTIC rate of a host, in Hz: `setup[SaidRate.self]`.
enum SaidRate: SetupOption {
  /// TELE, Session rule 8.
  static let standard = 20.0

  /// The key of a system file.
  static let key = ScenarioKey<FactChange>(
    "haptic-rate", .number, "How often a host sends HAPTIC, in Hz; 20 unless given."
  ) { (value) throws(YAMLFileError) in
    guard let rate = value.number, rate > 0, rate <= 1_000 else {
      throw value.error("expected a rate above 0 and up to 1000, found \(value.text ?? "\(value)")")
    }
    return { $0[SaidRate.self] = rate }
  }
}
