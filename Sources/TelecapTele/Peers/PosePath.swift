import TelecapModels
import TelecapRecording

/// Where a simulated phone is, as a function of time. Positions in metres; orientations are unit quaternions.
public enum PosePath: Hashable, Sendable {
  /// At the origin, not turned.
  case rest
  /// Around a circle in the plane y = 0, turned with it; `radius` in m, once in `period` ns.
  case circle(radius: Float, period: Nanoseconds)
  /// A loop in space, turned about an axis that leans and turned back, once in `period` ns: no number of it stays the same,
  /// and none is another one's.
  case loop(radius: Float, period: Nanoseconds)
  /// To and fro along x, `length` in m, there and back in `period` ns; each way is a movement of its own.
  case line(length: Float, period: Nanoseconds)

  /// Where the phone is and how it is turned, `nanoseconds` after the beginning.
  public func pose(at nanoseconds: Nanoseconds) -> (position: SIMD3<Float>, orientation: SIMD4<Float>) {
    switch self {
    case .rest: return (.zero, [0, 0, 0, 1])
    case .circle(let radius, let period):
      let turns = Waveform.phase(nanoseconds, period)
      let position = SIMD3<Float>(
        radius * Float(Sine.cosine(turns: turns)), 0, radius * Float(Sine.sine(turns: turns)))
      let half = turns / 2
      return (position, [0, Float(Sine.sine(turns: half)), 0, Float(Sine.cosine(turns: half))])
    case .loop(let radius, let period):
      let turns = Waveform.phase(nanoseconds, period)
      let position = SIMD3<Float>(
        radius * Float(Sine.cosine(turns: turns)), 2 * radius + radius * Float(Sine.sine(turns: 2 * turns)),
        3 * radius * Float(Sine.sine(turns: turns)))
      // Between an eighth and three eighths of a turn: no part of the quaternion is 0.
      let half = 0.125 + 0.0625 * Sine.sine(turns: turns)
      let lean = SIMD3<Float>(0.48, 0.6, 0.64) * Float(Sine.sine(turns: half))
      return (position, [lean.x, lean.y, lean.z, Float(Sine.cosine(turns: half))])
    case .line(let length, let period):
      let phase = Waveform.phase(nanoseconds, period)
      let along = phase < 0.5 ? 2 * phase : 2 - 2 * phase
      return ([length * Float(along), 0, 0], [0, 0, 0, 1])
    }
  }

  /// The number of the movement that the phone is in: `movement_start` belongs to the first pose of each.
  public func movement(at nanoseconds: Nanoseconds) -> Nanoseconds {
    switch self {
    case .rest, .circle, .loop: return 0
    case .line(_, let period):
      let half = max(1, period / 2)
      return nanoseconds / half
    }
  }
}
