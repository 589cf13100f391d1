import TelecapModels
import TelecapRecording

/// The pose of a simulated phone as a function of time. Positions in metres; orientations are unit quaternions.
public enum PosePath: Hashable, Sendable {
  /// At the origin, without rotation.
  case rest
  /// A circle in the plane y = 0, with the phone rotated along it; `radius` in m, once in `period` ns.
  case circle(radius: Float, period: Nanoseconds)
  /// A loop in space, with a rotation about a tilted axis and back, once in `period` ns: no number is constant, and no
  /// two are equal.
  case loop(radius: Float, period: Nanoseconds)
  /// Back and forth along x, `length` in m, there and back in `period` ns; each way is a separate movement.
  case line(length: Float, period: Nanoseconds)

  /// The position and orientation at `nanoseconds` after the start.
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
      // Between an eighth and three eighths of a turn, so that no component of the quaternion is 0.
      let half = 0.125 + 0.0625 * Sine.sine(turns: turns)
      let lean = SIMD3<Float>(0.48, 0.6, 0.64) * Float(Sine.sine(turns: half))
      return (position, [lean.x, lean.y, lean.z, Float(Sine.cosine(turns: half))])
    case .line(let length, let period):
      let phase = Waveform.phase(nanoseconds, period)
      let along = phase < 0.5 ? 2 * phase : 2 - 2 * phase
      return ([length * Float(along), 0, 0], [0, 0, 0, 1])
    }
  }

  /// The number of the current movement: the first pose of each has `movement_start`.
  public func movement(at nanoseconds: Nanoseconds) -> Nanoseconds {
    switch self {
    case .rest, .circle, .loop: return 0
    case .line(_, let period):
      let half = max(1, period / 2)
      return nanoseconds / half
    }
  }
}
