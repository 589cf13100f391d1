/// The strength of a vibration: 0…1.
public enum HapticStrength {
  /// The strength of a received value: clamped to 0…1; NaN is 0 (semantics, Clamping and what is not a number).
  public static func clamped(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}
