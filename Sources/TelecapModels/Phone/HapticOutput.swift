import TelecapRecording
import TelecapWire

/// The phone's motor: it runs at the last intensity received, clamped, and at 0 without a session
/// (semantics, Latest value wins; Clamping and what is not a number). Nothing is queued.
struct HapticOutput: Hashable, Sendable {
  /// The strength at which the motor runs, 0…1.
  private(set) var strength: Float = 0

  /// Plays an intensity as it stood on the wire: NaN is 0, +∞ is 1.
  mutating func play(_ intensity: Float) { strength = HapticStrength.clamped(intensity) }

  /// Stops the motor; says whether it ran.
  mutating func stop() -> Bool {
    defer { strength = 0 }
    return strength != 0
  }
}
