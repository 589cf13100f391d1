/// What the evaluation of a pattern keeps to. As it stands it is right (haptics.md, AHAP); a player that is wrong differs
/// in one of these.
public struct EvaluationRules: Hashable, Sendable {
  /// A missing intensity or sharpness has its default; otherwise it is 0.
  public var hasDefaults = true
  /// Values of intensity and sharpness are held to their ranges.
  public var clamps = true
  /// Between two points of a curve its value lies on the line; otherwise it jumps from point to point.
  public var interpolates = true
  /// Times of a curve's points count from the curve's; otherwise from the start of the pattern.
  public var isRelative = true

  /// The right ones.
  public init() {}

  /// The value within its range, where that is asked for.
  func clamp(_ value: Double, to range: ClosedRange<Double>) -> Double { clamps ? range.clamp(value) : value }
}
