import TelecapModels
import TelecapRecording
import TelecapWire

/// The phone's motor: it runs at the last intensity received, clamped, and at 0 without a session
/// (semantics, Latest value wins; Clamping and what is not a number). Nothing is queued.
struct HapticOutput: Hashable, Sendable {
  private let playsImpacts: Bool
  /// The strength at which the motor runs, 0…1.
  private(set) var strength: Float = 0

  /// A stopped motor, with or without impacts in place of a continuous output.
  init(playsImpacts: Bool) { self.playsImpacts = playsImpacts }

  /// Applies a HAPTIC of the session.
  mutating func receive(_ bytes: RawSpan, _ perform: Perform) {
    guard let intensity = Haptic.fields.intensity.value(in: bytes) else { return }
    PeerAction.tell(.hapticReceived(intensity), perform)
    if playsImpacts {
      if let impact = HapticImpact(intensity: intensity) { PeerAction.tell(.hapticImpact(impact), perform) }
      return
    }
    play(intensity)
    PeerAction.tell(.hapticApplied(strength), perform)
  }

  /// Applies a received intensity: NaN is 0, +∞ is 1.
  private mutating func play(_ intensity: Float) { strength = HapticStrength.clamped(intensity) }

  /// Stops the motor; returns whether it ran.
  mutating func stop() -> Bool {
    defer { strength = 0 }
    return strength != 0
  }
}
