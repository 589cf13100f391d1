import TelecapRecording

/// A rotation in space, as a unit quaternion.
public struct Rotation: Hashable, Sendable {
  /// The real part.
  public let w: Double
  /// The other three.
  public let vector: Vector3

  /// Looking along −z, upright.
  public static let none = Rotation(w: 1, vector: .zero)

  private init(w: Double, vector: Vector3) { (self.w, self.vector) = (w, vector) }

  /// The normalised quaternion; no rotation if the length is 0.
  public init(w: Double, x: Double, y: Double, z: Double) {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length > 1e-9, length.isFinite else {
      self = .none
      return
    }
    self.init(w: w / length, vector: Vector3(x, y, z) * (1 / length))
  }

  /// The rotation by `yaw` to the right (clockwise from above), then by `pitch` up, then by `roll` to the right
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

  /// The rotation `left` followed by `right` in the rotated frame.
  public static func * (left: Rotation, right: Rotation) -> Rotation {
    let dot =
      left.vector.x * right.vector.x + left.vector.y * right.vector.y + left.vector.z * right.vector.z
    return Rotation(
      w: left.w * right.w - dot,
      vector: right.vector * left.w + left.vector * right.w + left.vector.cross(right.vector))
  }

  /// The inverse rotation.
  public var inverse: Rotation { Rotation(w: w, vector: vector * -1) }

  /// The rotated direction.
  public func turned(_ direction: Vector3) -> Vector3 {
    let twice = vector.cross(direction) * 2
    return direction + twice * w + vector.cross(twice)
  }
}

/// The attitude of a head or a camera, in degrees, relative to looking along −z, upright.
public struct Attitude: Hashable, Sendable {
  /// To the right, clockwise from above.
  public var yaw: Double
  /// Up.
  public var pitch: Double
  /// To the right: the right ear goes down.
  public var roll: Double

  /// Straight ahead.
  public static let ahead = Attitude(yaw: 0, pitch: 0, roll: 0)

  /// An attitude with these angles, in degrees.
  public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }
}
