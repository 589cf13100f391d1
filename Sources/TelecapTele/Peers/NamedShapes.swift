import TelecapModels
import TelecapRecording

// The shapes that have names, as a person chooses them.

extension Waveform {
  /// A waveform that has a name; off is none.
  public enum Name: String, CaseIterable, Sendable {
    case ramp, sine, step, off

    /// The waveform, which takes `period` ns.
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
  /// A path that has a name.
  public enum Name: String, CaseIterable, Sendable {
    case circle, line, rest

    /// The path with this radius or length in metres, which takes `period` ns.
    public func shape(size: Float, period: Nanoseconds) -> PosePath {
      switch self {
      case .circle: .circle(radius: size, period: period)
      case .line: .line(length: size, period: period)
      case .rest: .rest
      }
    }
  }
}
