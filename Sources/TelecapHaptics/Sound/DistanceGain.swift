/// How a sound fades with its distance (haptics.md, Where the sound comes from; AVAudioEnvironmentDistanceAttenuation).
public struct DistanceGain: Hashable, Sendable {
  /// By which law.
  public enum Model: String, Sendable, CaseIterable {
    /// reference / (reference + rolloff × (r − reference)): as sound pressure does.
    case inverse
    /// 1 − rolloff × (r − reference) / (maximum − reference), not below 0.
    case linear
    /// (r / reference)^−rolloff.
    case exponential
  }

  /// By which law.
  public var model: Model
  /// Up to here it is at its full strength, in m; above 0.
  public var reference: Double
  /// From here on it fades no further, in m; not below the reference.
  public var maximum: Double
  /// How fast it fades; 0 or more.
  public var rolloff: Double

  /// The law of a free field, full up to 1 m, unless told otherwise. What makes no sense is held to what does.
  public init(
    _ model: Model = .inverse, reference: Double = 1, maximum: Double = 100_000, rolloff: Double = 1
  ) {
    self.model = model
    self.reference = reference > 1e-6 ? min(reference, 1e9) : 1e-6
    self.maximum = max(self.reference, maximum)
    self.rolloff = rolloff > 0 ? rolloff : 0
  }

  /// The gain, 0…1, at so many metres.
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
