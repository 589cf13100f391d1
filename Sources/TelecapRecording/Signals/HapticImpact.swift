/// An impact that a phone plays where it has no continuous output (Haptic Feedback API, Recommended Haptic Mapping,
/// option A).
public enum HapticImpact: String, Sendable, CaseIterable {
  /// More than 0.1.
  case light
  /// More than 0.4.
  case medium
  /// More than 0.7.
  case heavy

  /// The impact for an intensity as it stood on the wire; nil for none. The borders belong to the weaker side.
  public init?(intensity: Float) {
    let strength = HapticStrength.clamped(intensity)
    guard strength > 0.1 else { return nil }
    self = strength > 0.7 ? .heavy : strength > 0.4 ? .medium : .light
  }
}
