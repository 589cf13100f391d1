extension AHAP {
  /// The name of a built-in pattern.
  public enum Name: String, CaseIterable, Sendable { case normal, multi, gradual, heavy, explosion }

  /// The pattern of this name.
  ///
  /// - Parameters:
  ///   - frequency: of multi: at most 2 is a buzz, more is a tap.
  ///   - amplitude: of multi: 0…1.
  ///   - intensity: of gradual, at its middle: 0…1; the pattern's own if nil.
  ///   - feel: of explosion; the seed's if nil.
  public init(
    _ name: Name, frequency: Double = 1, amplitude: Double = 1, intensity: Double? = nil, feel: ExplosionFeel? = nil
  ) {
    switch name {
    case .normal: self.init(.manager(.normal))
    case .multi: self.init(.manager(.multi(frequency: frequency, amplitude: amplitude)))
    case .gradual:
      self.init(.manager(.gradual(intensity: intensity.map { Float($0) } ?? ManagerPattern.gradualIntensity)))
    case .heavy: self.init(.manager(.heavy))
    case .explosion:
      self.init(.explosion)
      if let feel { pattern = AHAP(feel).pattern }
    }
  }
}
