import TelecapRecording

/// The output device of sound.
public enum SoundOutput: String, Sendable, CaseIterable {
  /// Loudspeakers: placed by level alone. The head has no effect, because speakers do not report it.
  case speakers
  /// A headset that reports the head: placed by level and by the delay between the ears.
  case headset
}

/// The listener: the camera, and the head that looks at it.
public struct Listener: Hashable, Sendable {
  /// The position of the camera, in visual units.
  public var position: Vector3
  /// The rotation of the camera.
  public var camera: Rotation
  /// The rotation of the head relative to the camera, as a headset reports it.
  public var head: Rotation

  /// By default at the origin, looking along −z.
  public init(position: Vector3 = .zero, camera: Rotation = .none, head: Rotation = .none) {
    (self.position, self.camera, self.head) = (position, camera, head)
  }
}

/// A source of sound.
public struct SoundSource: Hashable, Sendable {
  /// Its position, in visual units.
  public var position: Vector3
  /// The number of channels: 1 is placed, others are a bed, played unchanged.
  public var channels: Int

  /// A source at this position.
  public init(at position: Vector3, channels: Int = 1) { (self.position, self.channels) = (position, channels) }
}

/// The position and level of a source relative to a listener.
public struct SoundPlacement: Hashable, Sendable {
  /// The distance to the listener, in m; 0 for a bed.
  public var distance: Double
  /// The attenuation by distance, 0…1.
  public var gain: Double
  /// The angle to the right of straight ahead, −π…π.
  public var azimuth: Double
  /// The angle above the listener's horizon, −π/2…π/2.
  public var elevation: Double
  /// The delay of the left ear after the right ear, in s; negative if it is earlier, 0 on speakers.
  public var delay: Double
  /// The level at the left ear, 0…1: attenuation and panning together.
  public var left: Double
  /// The level at the right ear, 0…1.
  public var right: Double
  /// Whether it is placed; a bed is not.
  public var isPlaced: Bool

  /// A bed: played unchanged at its own level.
  public static let bed = SoundPlacement(
    distance: 0, gain: 1, azimuth: 0, elevation: 0, delay: 0, left: 1, right: 1, isPlaced: false)
}

/// The space in which sounds are placed (haptics.md, Where the sound comes from; Multisensory Architectures, Spatial Audio
/// Implementation).
public struct SoundSpace: Hashable, Sendable {
  /// The distance of the ears from the centre of the head, in m (Woodworth).
  public static let headRadius = 0.0875
  /// The speed of sound, in m/s.
  public static let speedOfSound = 343.0

  /// Metres in a visual unit: 0.01 where it is a centimetre.
  public var scale: Double
  /// The attenuation of sounds by distance.
  public var distance: DistanceGain
  /// The output device.
  public var output: SoundOutput
  /// The rules of placing; a mutant differs.
  public var rules = SoundRules()

  /// By default a space in metres with speakers.
  public init(scale: Double = 1, distance: DistanceGain = DistanceGain(), output: SoundOutput = .speakers) {
    (self.scale, self.distance, self.output) = (scale, distance, output)
  }

  /// The placement of `source` for `listener`.
  public func placement(of source: SoundSource, for listener: Listener) -> SoundPlacement {
    guard source.channels == 1 || rules.placesBeds else { return .bed }
    let place = inFrame(of: listener, (source.position - listener.position) * (rules.scales ? scale : 1))
    let r = place.length
    let gain = rules.gain(distance, at: r)
    let side = r > 0 ? max(-1, min(1, rules.side(of: place) / r)) : 0
    let (left, right) = SoundSpace.levels(side: rules.swapsEars ? -side : side)
    return SoundPlacement(
      distance: r, gain: gain, azimuth: Arc.tangent(place.x, -place.z), elevation: r > 0 ? Arc.sine(place.y / r) : 0,
      delay: output == .headset && rules.delaysFarEar ? SoundSpace.delay(side: side) : 0, left: gain * left,
      right: gain * right,
      isPlaced: true)
  }

  /// A direction in the frame of the listener: rotated by the camera, then by the head if a headset reports it.
  private func inFrame(of listener: Listener, _ direction: Vector3) -> Vector3 {
    let hasHead = output == .headset || rules.headCountsOnSpeakers
    let turn = hasHead ? listener.camera * listener.head : listener.camera
    return (rules.turnsWithListener ? turn : turn.inverse).turned(direction)
  }

  /// The levels at the ears for a direction whose sine is `side`, −1 for the left: left² + right² is 1.
  private static func levels(side: Double) -> (left: Double, right: Double) {
    let turns = (1 + side) / 8
    func held(_ level: Double) -> Double { max(0, min(1, level)) }
    return (held(Sine.cosine(turns: turns)), held(Sine.sine(turns: turns)))
  }

  /// Woodworth's delay between the ears, in s, an approximation in place of a head-related transfer function.
  private static func delay(side: Double) -> Double { headRadius / speedOfSound * (Arc.sine(side) + side) }
}
