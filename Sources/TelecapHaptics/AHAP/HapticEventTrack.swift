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
    func felt(_ parameter: AHAP.EventParameter) -> Double {
      let value = event.value(of: parameter) ?? (controls.rules.hasDefaults ? parameter.standard : 0)
      return controls.rules.clamp(value, to: parameter.range)
    }
    self.item = item
    isTransient = event.type == .hapticTransient
    time = max(0, event.time)
    duration =
      isTransient ? HapticEventTrack.transientLength : min(max(0, event.duration ?? 0), AHAP.longestEvent)
    intensity = felt(.hapticIntensity)
    sharpness = felt(.hapticSharpness)
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
    let rules = controls.rules
    return HapticSample(
      intensity: rules.clamp(intensity * controls.intensity.value(at: time), to: 0...1) * factor,
      sharpness: rules.clamp(sharpness + controls.sharpness.value(at: time), to: 0...1))
  }
}

/// The dynamic parameters of haptic events.
struct HapticControls: Hashable, Sendable {
  let intensity: ControlTrack
  let sharpness: ControlTrack
  let attack: ControlTrack
  let decay: ControlTrack
  let release: ControlTrack
  let rules: EvaluationRules

  init(_ pattern: AHAP, _ rules: EvaluationRules) {
    self.rules = rules
    intensity = ControlTrack(.hapticIntensity, in: pattern, rules)
    sharpness = ControlTrack(.hapticSharpness, in: pattern, rules)
    attack = ControlTrack(.hapticAttackTime, in: pattern, rules)
    decay = ControlTrack(.hapticDecayTime, in: pattern, rules)
    release = ControlTrack(.hapticReleaseTime, in: pattern, rules)
  }
}
