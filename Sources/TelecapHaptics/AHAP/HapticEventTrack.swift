/// A haptic event of a pattern, prepared for evaluation: all values are within their ranges.
struct HapticEventTrack: Hashable, Sendable {
  /// The duration of a transient, in s: one cycle of the actuator takes 5–10 ms (seed 001, 1.1). AHAP has no duration
  /// for it (derived).
  static let transientLength = 0.01

  /// Its index in the pattern.
  let item: Int
  /// Seconds from the start of the pattern.
  let time: Double
  /// Seconds, without the release.
  let duration: Double
  let isTransient: Bool
  let intensity: Double
  let sharpness: Double
  let envelope: Envelope

  /// Nil for sounds and unknown types.
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
    // The controls of an envelope's part have effect at the start of that part (derived).
    envelope =
      isTransient
      ? Envelope()
      : Envelope(
        attack: value(.attackTime, controls.attack.value(at: time)),
        decay: value(.decayTime, controls.decay.value(at: time)),
        release: value(.releaseTime, controls.release.value(at: time + duration)),
        isSustained: value(.sustained) > 0)
  }

  /// The end of the event with its release, in s from the start of the pattern.
  var end: Double { time + duration + envelope.release }

  /// The haptics at `time`; nil before and after the event.
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
