import TelecapModels
import TelecapRecording

// The waveforms and paths with names, for users.

extension Waveform {
  /// The name of a waveform; off is none.
  public enum Name: String, CaseIterable, Sendable {
    case ramp, sine, step, off

    /// The waveform with a period of `period` ns.
    public func shape(period: Nanoseconds) -> Waveform? {
      switch self {
      case .ramp: .ramp(period: period)
      case .sine: .sine(period: period)
      case .step: .step(period: period)
      case .off: nil
      }
    }
  }
}

extension PosePath {
  /// The name of a path.
  public enum Name: String, CaseIterable, Sendable {
    case circle, line, rest

    /// The path with this radius or length in metres, and a period of `period` ns.
    public func shape(size: Float, period: Nanoseconds) -> PosePath {
      switch self {
      case .circle: .circle(radius: size, period: period)
      case .line: .line(length: size, period: period)
      case .rest: .rest
      }
    }
  }
}
