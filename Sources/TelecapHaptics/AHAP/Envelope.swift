/// How a continuous event swells and fades, as a factor of its intensity (haptics.md, AHAP; seed 001, 1.2.2: attack, decay,
/// sustain, release).
///
/// It rises in a straight line over `attack`. Sustained, it then stays at full strength until the event ends; not
/// sustained, it falls to 0 over `decay`. From the end it falls to 0 over `release`, from wherever it stood. Times in s.
/// The text gives the parameters and not the shape: that it is straight lines is ours (derived).
struct Envelope: Hashable, Sendable {
  var attack = 0.0
  var decay = 0.0
  var release = 0.0
  var isSustained = true

  /// The factor, 0…1, so many seconds after the event's beginning; the event lasts `duration`.
  func level(at time: Double, duration: Double) -> Double {
    if time < 0 { return 0 }
    if time < duration { return held(at: time) }
    let since = time - duration
    return since < release ? held(at: duration) * (1 - since / release) : 0
  }

  private func held(at time: Double) -> Double {
    if time < attack { return time / attack }
    if isSustained { return 1 }
    let since = time - attack
    return since < decay ? 1 - since / decay : 0
  }
}
