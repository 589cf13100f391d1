import TelecapRecording

/// How something is turned in space, as a unit quaternion.
public struct Rotation: Hashable, Sendable {
  /// The real part.
  public let w: Double
  /// The other three.
  public let vector: Vector3

  /// Looking along −z, upright.
  public static let none = Rotation(w: 1, vector: .zero)

  private init(w: Double, vector: Vector3) { (self.w, self.vector) = (w, vector) }

  /// The quaternion of this direction; not turned at all for one that has none.
  public init(w: Double, x: Double, y: Double, z: Double) {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length > 1e-9, length.isFinite else {
      self = .none
      return
    }
    self.init(w: w / length, vector: Vector3(x, y, z) * (1 / length))
  }

  /// Turned by `yaw` to the right, seen from above clockwise, then by `pitch` up, then by `roll` to the right
  /// (haptics.md, Where the sound comes from).
  public init(_ attitude: Attitude) {
    func about(_ axis: Vector3, _ degrees: Double) -> Rotation {
      let turns = degrees / 720
      return Rotation(w: Sine.cosine(turns: turns), vector: axis * Sine.sine(turns: turns))
    }
    self =
      about(Vector3(0, 1, 0), -attitude.yaw) * about(Vector3(1, 0, 0), attitude.pitch)
      * about(Vector3(0, 0, 1), -attitude.roll)
  }

  /// Turned as `right` says within what `left` has turned already.
  public static func * (left: Rotation, right: Rotation) -> Rotation {
    let dot =
      left.vector.x * right.vector.x + left.vector.y * right.vector.y + left.vector.z * right.vector.z
    return Rotation(
      w: left.w * right.w - dot,
      vector: right.vector * left.w + left.vector * right.w + left.vector.cross(right.vector))
  }

  /// Turned back.
  public var inverse: Rotation { Rotation(w: w, vector: vector * -1) }

  /// Where a direction points that is turned with it.
  public func turned(_ direction: Vector3) -> Vector3 {
    let twice = vector.cross(direction) * 2
    return direction + twice * w + vector.cross(twice)
  }
}

/// How a head or a camera is turned, in degrees: all of them from looking along −z, upright.
public struct Attitude: Hashable, Sendable {
  /// To the right, seen from above clockwise.
  public var yaw: Double
  /// Up.
  public var pitch: Double
  /// To the right: the right ear goes down.
  public var roll: Double

  /// Straight ahead.
  public static let ahead = Attitude(yaw: 0, pitch: 0, roll: 0)

  /// Turned so, in degrees.
  public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }
}
