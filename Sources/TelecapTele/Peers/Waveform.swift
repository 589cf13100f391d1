import TelecapModels
import TelecapRecording

/// Haptic strength as a function of time: what a simulated host sends. Always 0…1, never NaN.
public enum Waveform: Hashable, Sendable {
  /// The same for ever; held to 0…1, NaN is 0.
  case constant(Float)
  /// From 0 to 1 in a straight line over `period` ns, then again.
  case ramp(period: Nanoseconds)
  /// From 0.5 up and down between 0 and 1, once in `period` ns.
  case sine(period: Nanoseconds)
  /// 0 for the first half of `period` ns, 1 for the second, and again.
  case step(period: Nanoseconds)
  /// Measured forces, each held until the next, the last for ever.
  case forces(ForceSeries)

  /// The strength `nanoseconds` after the beginning.
  public func value(at nanoseconds: Nanoseconds) -> Float {
    switch self {
    case .constant(let value): HapticStrength.clamped(value)
    case .ramp(let period): Float(Waveform.phase(nanoseconds, period))
    case .sine(let period):
      HapticStrength.clamped(Float(0.5 + 0.5 * Sine.sine(turns: Waveform.phase(nanoseconds, period))))
    case .step(let period): Waveform.phase(nanoseconds, period) < 0.5 ? 0 : 1
    case .forces(let series): series.intensity(at: nanoseconds)
    }
  }

  /// How far into its period, 0..<1; a period of less than 1 ns counts as 1 ns.
  static func phase(_ nanoseconds: Nanoseconds, _ period: Nanoseconds) -> Double {
    let period = max(1, period)
    let rest = nanoseconds % period
    return Double(rest < 0 ? rest + period : rest) / Double(period)
  }
}
