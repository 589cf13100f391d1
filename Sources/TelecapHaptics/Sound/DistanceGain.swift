/// The attenuation of a sound by distance (haptics.md, Where the sound comes from;
/// AVAudioEnvironmentDistanceAttenuation).
public struct DistanceGain: Hashable, Sendable {
  /// The law of attenuation.
  public enum Model: String, Sendable, CaseIterable {
    /// reference / (reference + rolloff × (r − reference)): the law of sound pressure.
    case inverse
    /// 1 − rolloff × (r − reference) / (maximum − reference), at least 0.
    case linear
    /// (r / reference)^−rolloff.
    case exponential
  }

  /// The law of attenuation.
  public var model: Model
  /// The distance up to which the gain is 1, in m; above 0.
  public var reference: Double
  /// The distance from which on the gain stays, in m; at least the reference.
  public var maximum: Double
  /// The rolloff factor; 0 or more.
  public var rolloff: Double

  /// By default the law of a free field, with full gain up to 1 m. Invalid values are clamped.
  public init(
    _ model: Model = .inverse, reference: Double = 1, maximum: Double = 100_000, rolloff: Double = 1
  ) {
    self.model = model
    self.reference = reference > 1e-6 ? min(reference, 1e9) : 1e-6
    self.maximum = max(self.reference, maximum)
    self.rolloff = rolloff > 0 ? rolloff : 0
  }

  /// The gain, 0…1, at this distance in m.
  public func gain(at distance: Double) -> Double {
    let r = max(reference, min(maximum, distance))
    switch model {
    case .inverse: return reference / (reference + rolloff * (r - reference))
    case .linear:
      return maximum > reference ? max(0, 1 - rolloff * (r - reference) / (maximum - reference)) : 1
    case .exponential: return Power.of(r / reference, -rolloff)
    }
  }
}
