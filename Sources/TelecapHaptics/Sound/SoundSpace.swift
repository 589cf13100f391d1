import TelecapRecording

/// What a sound is heard on.
public enum SoundOutput: String, Sendable, CaseIterable {
  /// Loudspeakers: placed by level alone; the head does not count, for nothing reports it.
  case speakers
  /// A headset that reports the head: placed by level and by the delay from ear to ear.
  case headset
}

/// Who hears: the camera, and the head that looks at it.
public struct Listener: Hashable, Sendable {
  /// Where the camera is, in visual units.
  public var position: Vector3
  /// How the camera is turned.
  public var camera: Rotation
  /// How the head is turned against the camera; a headset reports it.
  public var head: Rotation

  /// At the origin, looking along −z, unless moved.
  public init(position: Vector3 = .zero, camera: Rotation = .none, head: Rotation = .none) {
    (self.position, self.camera, self.head) = (position, camera, head)
  }
}

/// A sound's place among what is heard.
public struct SoundSource: Hashable, Sendable {
  /// Where it is, in visual units.
  public var position: Vector3
  /// 1 is placed; others are a bed, played as they are.
  public var channels: Int

  /// A source there.
  public init(at position: Vector3, channels: Int = 1) { (self.position, self.channels) = (position, channels) }
}

/// Where a listener hears a source, and how loud.
public struct SoundPlacement: Hashable, Sendable {
  /// From the listener, in m; 0 for a bed.
  public var distance: Double
  /// By the distance alone, 0…1.
  public var gain: Double
  /// To the right of straight ahead, −π…π.
  public var azimuth: Double
  /// Above the listener's horizon, −π/2…π/2.
  public var elevation: Double
  /// By how much later the left ear hears than the right, in s; negative when earlier, 0 on speakers.
  public var delay: Double
  /// The level at the left ear, 0…1: the gain and the side together.
  public var left: Double
  /// The level at the right ear, 0…1.
  public var right: Double
  /// Whether it has a place; a bed has none.
  public var isPlaced: Bool

  /// Played as it is, at its own level.
  public static let bed = SoundPlacement(
    distance: 0, gain: 1, azimuth: 0, elevation: 0, delay: 0, left: 1, right: 1, isPlaced: false)
}

/// The space in which sounds are placed (haptics.md, Where the sound comes from; Multisensory Architectures, Spatial Audio
/// Implementation).
public struct SoundSpace: Hashable, Sendable {
  /// How far the ears are from the middle of the head, in m (Woodworth).
  public static let headRadius = 0.0875
  /// How fast sound is, in m/s.
  public static let speedOfSound = 343.0

  /// Metres in a visual unit: 0.01 where it is a centimetre.
  public var scale: Double
  /// How sounds fade.
  public var distance: DistanceGain
  /// What they are heard on.
  public var output: SoundOutput
  /// What it keeps to; one that is wrong differs.
  public var rules = SoundRules()

  /// A space of metres, heard on speakers, unless told otherwise.
  public init(scale: Double = 1, distance: DistanceGain = DistanceGain(), output: SoundOutput = .speakers) {
    (self.scale, self.distance, self.output) = (scale, distance, output)
  }

  /// Where `listener` hears `source`.
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

  /// A direction in the world as the listener has it: the camera's turn, then the head's where a headset reports it.
  private func inFrame(of listener: Listener, _ direction: Vector3) -> Vector3 {
    let hasHead = output == .headset || rules.headCountsOnSpeakers
    let turn = hasHead ? listener.camera * listener.head : listener.camera
    return (rules.turnsWithListener ? turn : turn.inverse).turned(direction)
  }

  /// What the ears get of a source whose direction has the sine `side`, −1 wholly left: left² + right² is 1.
  private static func levels(side: Double) -> (left: Double, right: Double) {
    let turns = (1 + side) / 8
    func held(_ level: Double) -> Double { max(0, min(1, level)) }
    return (held(Sine.cosine(turns: turns)), held(Sine.sine(turns: turns)))
  }

  /// Woodworth's delay from ear to ear, in s. It stands for a head-related transfer function, and is none.
  private static func delay(side: Double) -> Double { headRadius / speedOfSound * (Arc.sine(side) + side) }
}
