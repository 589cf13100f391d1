import TelecapRecording

/// What lies between two others.
public protocol Interpolated: Hashable, Sendable {
  /// The value so far on the way to `other`, 0…1.
  func towards(_ other: Self, _ share: Double) -> Self
}

/// A value that changes in straight lines from one moment to the next; before the first and behind the last it stays.
public struct Track<Value: Interpolated>: Hashable, Sendable {
  private var times: [Timestamp] = []
  private var values: [Value] = []

  /// A value that never changes.
  public init(_ value: Value) { (times, values) = ([.zero], [value]) }

  /// Through these moments, in order of their times; of several at one time the last counts from then on. Nil when there
  /// is none.
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
  /// Turned evenly, by the shorter way.
  public func towards(_ other: Rotation, _ share: Double) -> Rotation {
    let dot =
      w * other.w + vector.x * other.vector.x + vector.y * other.vector.y + vector.z * other.vector.z
    let angle = Arc.tangent(max(0, 1 - dot * dot).squareRoot(), abs(dot)) / (2 * Arc.half)
    let whole = Sine.sine(turns: angle)
    // Of two that are the same there is no way between them.
    guard whole > 1e-9 else { return other }
    // A quaternion and its negative are one turn.
    let near = Sine.sine(turns: (1 - share) * angle) / whole
    let far = Sine.sine(turns: share * angle) / whole * (dot < 0 ? -1 : 1)
    let mixed = vector * near + other.vector * far
    return Rotation(w: w * near + other.w * far, x: mixed.x, y: mixed.y, z: mixed.z)
  }
}

/// How a listener moves and turns.
public struct ListenerPath: Hashable, Sendable {
  /// Where the camera is, in visual units.
  public var position: Track<Vector3>
  /// How the camera is turned.
  public var camera: Track<Rotation>
  /// How the head is turned against the camera.
  public var head: Track<Rotation>

  /// At the origin, looking along −z, unless moved.
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
