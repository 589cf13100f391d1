/// One of the three senses.
public enum Sense: String, Sendable, CaseIterable {
  case seen, heard, felt
}

/// The visible part of an event.
public enum Seen: Hashable, Sendable {
  /// A burst with this number of particles.
  case burst(DeviceConditions.Particles)
  /// The ring with this integrity.
  case ring(integrity: Double)
}

/// The audible part of an event.
public enum Heard: Hashable, Sendable {
  /// A sound on a player: at a position, or without one if `placement` is the bed's; scaled by `level`, the event's
  /// energy.
  case sound(SoundPlacement, level: Double, player: Int, interrupts: Bool, why: HeardReason)
  /// No sound, because the device is this hot.
  case tooHot(ThermalState)
  /// No sound, because the audio session is interrupted.
  case interrupted
  /// No sound, because another sound took its player before it began.
  case replaced
}

/// The reason for the placement of a sound.
public enum HeardReason: Hashable, Sendable {
  /// It has one channel and is placed.
  case mono
  /// It has two channels: a bed, played unchanged. A finding.
  case bed
  /// The device is too hot to place sounds: both ears hear the same.
  case flat(ThermalState)
}

/// The haptic part of an event.
public enum Felt: Hashable, Sendable {
  /// The explosion's pattern with these values.
  case pattern(ExplosionFeel)
  /// One medium impact in its place, to save power.
  case mediumImpact
  /// No haptics, for this reason.
  case nothing(EngineSilence)
  /// No haptics: low-power mode began before the pattern.
  case savedPower
}

/// The perception of an event; nil for a sense that it does not concern.
public struct Perception: Hashable, Sendable {
  public var seen: Seen
  public var heard: Heard?
  public var felt: Felt?

  /// The senses with a perception. A sound or a pattern with a strength of 0 does not count.
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
