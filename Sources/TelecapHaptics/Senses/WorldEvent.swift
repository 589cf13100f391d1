import TelecapRecording

/// What happens in the core, and is to be perceived (haptics.md, One event, three senses).
public enum WorldEvent: Hashable, Sendable {
  /// Something bursts: seen, heard and felt.
  case explosion(Explosion)
  /// The ring is as whole as this, 0…1: seen only.
  case ring(integrity: Double)
}

/// Something that bursts.
public struct Explosion: Hashable, Sendable {
  /// Where, in visual units.
  public var position: Vector3
  /// Where its sound goes while it lasts; nil for one that stays.
  public var goesTo: Vector3?
  /// How strong, 0…1.
  public var energy: Double
  /// What bursts.
  public var material: Material

  /// An explosion; its energy is held to 0…1, NaN is 0.
  public init(at position: Vector3, goesTo: Vector3? = nil, energy: Double = 1, material: Material = .glass) {
    (self.position, self.goesTo, self.material) = (position, goesTo, material)
    self.energy = energy > 0 ? min(energy, 1) : 0
  }
}

/// What changes around an application.
public enum WorldChange: Hashable, Sendable {
  /// The device is this hot.
  case thermal(ThermalState)
  /// Its user asks it to save power, or no longer.
  case lowPower(Bool)
  /// The audio session has this category from now on.
  case category(SessionCategory)
  /// The audio session is interrupted, by a call perhaps, or no longer.
  case interruption(isOn: Bool)
  /// The main thread does nothing else for so many ns: nobody ticks and nobody drains.
  case busy(Nanoseconds)
}

/// What becomes of the music that the user hears already (Multisensory Architectures, Good Citizen Policies).
public enum SessionCategory: String, Sendable, CaseIterable {
  /// The music goes on.
  case ambient
  /// The music falls silent.
  case playback

  /// What becomes of the music.
  public var music: String { self == .ambient ? "mixed" : "silenced" }
}
