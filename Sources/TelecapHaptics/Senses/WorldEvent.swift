import TelecapRecording

/// An event in the core that users perceive (haptics.md, One event, three senses).
public enum WorldEvent: Hashable, Sendable {
  /// An explosion: seen, heard and felt.
  case explosion(Explosion)
  /// The integrity of the ring, 0…1: seen only.
  case ring(integrity: Double)
}

/// An explosion.
public struct Explosion: Hashable, Sendable {
  /// Its position, in visual units.
  public var position: Vector3
  /// The position to which its sound moves while it lasts; nil if it stays.
  public var goesTo: Vector3?
  /// The strength, 0…1.
  public var energy: Double
  /// The material that breaks.
  public var material: Material

  /// An explosion; its energy is clamped to 0…1, NaN is 0.
  public init(at position: Vector3, goesTo: Vector3? = nil, energy: Double = 1, material: Material = .glass) {
    (self.position, self.goesTo, self.material) = (position, goesTo, material)
    self.energy = energy > 0 ? min(energy, 1) : 0
  }
}

/// A change around an application.
public enum WorldChange: Hashable, Sendable {
  /// The thermal state of the device.
  case thermal(ThermalState)
  /// Low-power mode is on, or off.
  case lowPower(Bool)
  /// The category of the audio session from now on.
  case category(SessionCategory)
  /// The audio session is interrupted, for example by a call, or no longer.
  case interruption(isOn: Bool)
  /// The main thread is busy for this many ns: the shell neither ticks nor drains.
  case busy(Nanoseconds)
}

/// The effect on music that the user plays (Multisensory Architectures, Good Citizen Policies).
public enum SessionCategory: String, Sendable, CaseIterable {
  /// The music continues.
  case ambient
  /// The music is silenced.
  case playback

  /// The effect on the music, as a word.
  public var music: String { self == .ambient ? "mixed" : "silenced" }
}
