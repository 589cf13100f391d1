/// The rise and fall of a continuous event, as a factor of its intensity (haptics.md, AHAP; seed 001, 1.2.2: attack,
/// decay, sustain, release).
///
/// It rises linearly over `attack`. If sustained, it then stays at full strength until the event ends; otherwise it
/// falls to 0 over `decay`. From the end it falls from its current level to 0 over `release`. Times in s. The text
/// gives the parameters but not the shape: the straight lines are ours (derived).
struct Envelope: Hashable, Sendable {
  var attack = 0.0
  var decay = 0.0
  var release = 0.0
  var isSustained = true

  /// The factor, 0…1, at this many seconds after the start of an event that lasts `duration`.
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
