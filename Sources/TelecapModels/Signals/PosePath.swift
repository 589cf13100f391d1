import TelecapRecording

/// Where a simulated phone is, as a function of time. Positions in metres; orientations are unit quaternions.
public enum PosePath: Hashable, Sendable {
  /// At the origin, not turned.
  case rest
  /// Around a circle in the plane y = 0, turned with it; `radius` in m, once in `period` ns.
  case circle(radius: Float, period: Int64)
  /// To and fro along x, `length` in m, there and back in `period` ns; each way is a movement of its own.
  case line(length: Float, period: Int64)

  /// Where the phone is and how it is turned, `nanoseconds` after the beginning.
  public func pose(at nanoseconds: Int64) -> (position: SIMD3<Float>, orientation: SIMD4<Float>) {
    switch self {
    case .rest: return (.zero, [0, 0, 0, 1])
    case .circle(let radius, let period):
      let turns = Waveform.phase(nanoseconds, period)
      let position = SIMD3<Float>(
        radius * Float(Sine.cosine(turns: turns)), 0, radius * Float(Sine.sine(turns: turns)))
      let half = turns / 2
      return (position, [0, Float(Sine.sine(turns: half)), 0, Float(Sine.cosine(turns: half))])
    case .line(let length, let period):
      let phase = Waveform.phase(nanoseconds, period)
      let along = phase < 0.5 ? 2 * phase : 2 - 2 * phase
      return ([length * Float(along), 0, 0], [0, 0, 0, 1])
    }
  }

  /// The number of the movement that the phone is in: `movement_start` belongs to the first pose of each.
  public func movement(at nanoseconds: Int64) -> Int64 {
    switch self {
    case .rest, .circle: return 0
    case .line(_, let period):
      let half = max(1, period / 2)
      return nanoseconds / half
    }
  }
}
