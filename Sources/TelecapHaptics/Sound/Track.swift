import TelecapRecording

/// A value that can be interpolated.
public protocol Interpolated: Hashable, Sendable {
  /// The value at the share `share` of the way to `other`, 0…1.
  func towards(_ other: Self, _ share: Double) -> Self
}

/// A value that changes linearly from one moment to the next; before the first and after the last it stays.
public struct Track<Value: Interpolated>: Hashable, Sendable {
  private var times: [Timestamp] = []
  private var values: [Value] = []

  /// A value that never changes.
  public init(_ value: Value) { (times, values) = ([.zero], [value]) }

  /// A track through these moments in order of time; of several with one time the last counts from then on. Nil without
  /// moments.
  public init?(_ moments: [(time: Timestamp, value: Value)]) {
    guard !moments.isEmpty else { return nil }
    times = moments.map(\.time)
    values = moments.map(\.value)
  }

  /// The value at `time`.
  public func value(at time: Timestamp) -> Value {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return values[0] }
    guard low < times.count else { return values[times.count - 1] }
    let length = times[low].nanoseconds(since: times[low - 1])
    let share = Double(time.nanoseconds(since: times[low - 1])) / Double(length)
    return values[low - 1].towards(values[low], share)
  }
}

extension Double: Interpolated {
  public func towards(_ other: Double, _ share: Double) -> Double { self + (other - self) * share }
}

extension Vector3: Interpolated {
  public func towards(_ other: Vector3, _ share: Double) -> Vector3 { self + (other - self) * share }
}

extension Rotation: Interpolated {
  /// Interpolates the rotation evenly, along the shorter arc.
  public func towards(_ other: Rotation, _ share: Double) -> Rotation {
    let dot =
      w * other.w + vector.x * other.vector.x + vector.y * other.vector.y + vector.z * other.vector.z
    let angle = Arc.tangent(max(0, 1 - dot * dot).squareRoot(), abs(dot)) / (2 * Arc.half)
    let whole = Sine.sine(turns: angle)
    // Two equal rotations have no arc between them.
    guard whole > 1e-9 else { return other }
    // A quaternion and its negative are the same rotation.
    let near = Sine.sine(turns: (1 - share) * angle) / whole
    let far = Sine.sine(turns: share * angle) / whole * (dot < 0 ? -1 : 1)
    let mixed = vector * near + other.vector * far
    return Rotation(w: w * near + other.w * far, x: mixed.x, y: mixed.y, z: mixed.z)
  }
}

/// The movement of a listener.
public struct ListenerPath: Hashable, Sendable {
  /// The position of the camera, in visual units.
  public var position: Track<Vector3>
  /// The rotation of the camera.
  public var camera: Track<Rotation>
  /// The rotation of the head relative to the camera.
  public var head: Track<Rotation>

  /// By default at the origin, looking along −z.
  public init(
    position: Track<Vector3> = Track(.zero), camera: Track<Rotation> = Track(.none),
    head: Track<Rotation> = Track(.none)
  ) {
    (self.position, self.camera, self.head) = (position, camera, head)
  }

  /// The listener at `time`.
  public func listener(at time: Timestamp) -> Listener {
    Listener(position: position.value(at: time), camera: camera.value(at: time), head: head.value(at: time))
  }
}
