/// One of the three senses.
public enum Sense: String, Sendable, CaseIterable {
  case seen, heard, felt
}

/// What is seen of an event.
public enum Seen: Hashable, Sendable {
  /// A burst, with so many particles.
  case burst(DeviceConditions.Particles)
  /// The ring, as whole as this.
  case ring(integrity: Double)
}

/// What is heard of an event.
public enum Heard: Hashable, Sendable {
  /// On a player: at a place, or without one where `placement` is the bed's; times `level`, the event's energy.
  case sound(SoundPlacement, level: Double, player: Int, interrupts: Bool, why: HeardReason)
  /// Nothing, since the device is this hot.
  case tooHot(ThermalState)
  /// Nothing, since the audio session is interrupted.
  case interrupted
  /// Nothing, since another sound took its player before it began.
  case replaced
}

/// Why a sound is heard as it is.
public enum HeardReason: Hashable, Sendable {
  /// It has one channel, and is placed.
  case mono
  /// It has two channels: a bed, played as it is. A finding.
  case bed
  /// The device is too hot to place anything: both ears hear the same.
  case flat(ThermalState)
}

/// What is felt of an event.
public enum Felt: Hashable, Sendable {
  /// The explosion's pattern, like this.
  case pattern(ExplosionFeel)
  /// One medium impact in its place, to save power.
  case mediumImpact
  /// Nothing, and why.
  case nothing(EngineSilence)
  /// Nothing: low-power mode came before the pattern began.
  case savedPower
}

/// What the three senses get of an event; nil for a sense that it does not concern.
public struct Perception: Hashable, Sendable {
  public var seen: Seen
  public var heard: Heard?
  public var felt: Felt?

  /// The senses that get something: a sound or a pattern without any strength is none.
  public var senses: Set<Sense> {
    var senses: Set<Sense> = [.seen]
    if case .sound(_, let level, _, _, _) = heard, level > 0 { senses.insert(.heard) }
    switch felt {
    case .pattern(let feel): if feel.intensity > 0 { senses.insert(.felt) }
    case .mediumImpact: senses.insert(.felt)
    case .nothing, .savedPower, nil: break
    }
    return senses
  }
}
