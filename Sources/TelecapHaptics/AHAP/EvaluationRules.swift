/// The rules for the evaluation of a pattern. The defaults are correct (haptics.md, AHAP); a mutant differs in one of
/// them.
public struct EvaluationRules: Hashable, Sendable {
  /// Whether a missing intensity or sharpness has its default; otherwise it is 0.
  public var hasDefaults = true
  /// Whether intensity and sharpness are clamped to their ranges.
  public var clamps = true
  /// Whether a curve is linear between two points; otherwise it jumps from point to point.
  public var interpolates = true
  /// Whether times of points are relative to the curve; otherwise they count from the start of the pattern.
  public var isRelative = true

  /// The correct rules.
  public init() {}

  /// The value clamped to its range, if `clamps`.
  func clamp(_ value: Double, to range: ClosedRange<Double>) -> Double { clamps ? range.clamp(value) : value }
}
