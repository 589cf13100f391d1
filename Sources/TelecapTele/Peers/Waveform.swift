import TelecapModels
import TelecapRecording

/// The haptic strength of a simulated host as a function of time. Always 0…1, never NaN.
public enum Waveform: Hashable, Sendable {
  /// A constant; clamped to 0…1, NaN is 0.
  case constant(Float)
  /// Linear from 0 to 1 in `period` ns, repeated.
  case ramp(period: Nanoseconds)
  /// A sine around 0.5 between 0 and 1, with a period of `period` ns.
  case sine(period: Nanoseconds)
  /// 0 for the first half of `period` ns and 1 for the second, repeated.
  case step(period: Nanoseconds)
  /// Measured forces, each held until the next, the last one forever.
  case forces(ForceSeries)

  /// The strength at `nanoseconds` after the start.
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

  /// The position in its period, 0..<1; a period below 1 ns counts as 1 ns.
  static func phase(_ nanoseconds: Nanoseconds, _ period: Nanoseconds) -> Double {
    let period = max(1, period)
    let rest = nanoseconds % period
    return Double(rest < 0 ? rest + period : rest) / Double(period)
  }
}
