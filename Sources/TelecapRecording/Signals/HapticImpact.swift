/// An impact that a phone plays if it has no continuous output (Haptic Feedback API, Recommended Haptic Mapping, option
/// A).
public enum HapticImpact: String, Sendable, CaseIterable {
  /// An intensity above 0.1.
  case light
  /// An intensity above 0.4.
  case medium
  /// An intensity above 0.7.
  case heavy

  /// The impact of a received intensity; nil for none. A value at a border gives the weaker one.
  public init?(intensity: Float) {
    let strength = HapticStrength.clamped(intensity)
    guard strength > 0.1 else { return nil }
    self = strength > 0.7 ? .heavy : strength > 0.4 ? .medium : .light
  }
}
