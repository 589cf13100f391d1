/// A haptic event of a pattern, ready to be evaluated: everything is within its range.
struct HapticEventTrack: Hashable, Sendable {
  /// How long a transient is felt, in s: one cycle of the actuator takes 5–10 ms (seed 001, 1.1). AHAP gives it no length
  /// (derived).
  static let transientLength = 0.01

  /// Its place in the pattern.
  let item: Int
  /// Seconds from the start of the pattern.
  let time: Double
  /// Seconds, without the release.
  let duration: Double
  let isTransient: Bool
  let intensity: Double
  let sharpness: Double
  let envelope: Envelope

  /// Nil for what is heard only, or of an unknown type.
  init?(_ event: AHAP.Event, item: Int, _ controls: HapticControls) {
    guard event.type == .hapticTransient || event.type == .hapticContinuous else { return nil }
    func value(_ parameter: AHAP.EventParameter, _ control: Double = 0) -> Double {
      let own = parameter.range.clamp(event.value(of: parameter) ?? parameter.standard)
      return parameter.range.clamp(own + control)
    }
    self.item = item
    isTransient = event.type == .hapticTransient
    time = max(0, event.time)
    duration =
      isTransient ? HapticEventTrack.transientLength : min(max(0, event.duration ?? 0), AHAP.longestEvent)
    intensity = value(.hapticIntensity)
    sharpness = value(.hapticSharpness)
    // The controls of an envelope count where its part begins (derived).
    envelope =
      isTransient
      ? Envelope()
      : Envelope(
        attack: value(.attackTime, controls.attack.value(at: time)),
        decay: value(.decayTime, controls.decay.value(at: time)),
        release: value(.releaseTime, controls.release.value(at: time + duration)),
        isSustained: value(.sustained) > 0)
  }

  /// When nothing of it is left, in s from the start of the pattern.
  var end: Double { time + duration + envelope.release }

  /// What it feels like at `time`; nil when it is not there.
  func sample(at time: Double, _ controls: HapticControls) -> HapticSample? {
    guard time >= self.time, time < end else { return nil }
    let factor = envelope.level(at: time - self.time, duration: duration)
    return HapticSample(
      intensity: (0...1).clamp(intensity * controls.intensity.value(at: time)) * factor,
      sharpness: (0...1).clamp(sharpness + controls.sharpness.value(at: time)))
  }
}

/// The dynamic parameters of haptic events.
struct HapticControls: Hashable, Sendable {
  let intensity: ControlTrack
  let sharpness: ControlTrack
  let attack: ControlTrack
  let decay: ControlTrack
  let release: ControlTrack

  init(_ pattern: AHAP) {
    intensity = ControlTrack(.hapticIntensity, in: pattern)
    sharpness = ControlTrack(.hapticSharpness, in: pattern)
    attack = ControlTrack(.hapticAttackTime, in: pattern)
    decay = ControlTrack(.hapticDecayTime, in: pattern)
    release = ControlTrack(.hapticReleaseTime, in: pattern)
  }
}
