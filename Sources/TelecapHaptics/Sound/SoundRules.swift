/// The rules for placing sounds. The defaults are correct (haptics.md, Where the sound comes from); a mutant differs in
/// one of them.
public struct SoundRules: Hashable, Sendable {
  /// Whether positions are scaled to metres.
  public var scales = true
  /// Whether the gain is 1 up to the reference distance; otherwise it rises above 1.
  public var isFullAtReference = true
  /// Whether the gain stays from the maximum distance on.
  public var holdsMaximum = true
  /// Whether the inverse law is that of sound pressure; otherwise that of power, by the square.
  public var inverseIsOfPressure = true
  /// Whether the linear law starts at the reference; otherwise at the listener.
  public var linearBeginsAtReference = true
  /// Whether the exponential law has the rolloff as its exponent; otherwise 1.
  public var exponentialHasRolloff = true
  /// Whether left and right are swapped.
  public var swapsEars = false
  /// Whether the azimuth itself is the side, which moves rear sources too far to the side.
  public var pansByAzimuth = false
  /// Whether a headset delays the sound at the far ear.
  public var delaysFarEar = true
  /// Whether the world turns in the direction of the listener, not in the opposite one.
  public var turnsWithListener = false
  /// Whether the head has effect without a headset too.
  public var headCountsOnSpeakers = false
  /// Whether a source of two channels is placed.
  public var placesBeds = false

  /// The correct rules.
  public init() {}

  /// The gain at this distance in m, by these rules.
  func gain(_ law: DistanceGain, at metres: Double) -> Double {
    if law.model == .linear, !linearBeginsAtReference {
      return max(0, 1 - law.rolloff * min(metres, law.maximum) / law.maximum)
    }
    var law = law
    if law.model == .exponential, !exponentialHasRolloff { law.rolloff = 1 }
    if !holdsMaximum { law.maximum = max(law.maximum, metres) }
    if !isFullAtReference, metres < law.reference { return law.reference / max(metres, 1e-3) }
    let gain = law.gain(at: metres)
    return law.model == .inverse && !inverseIsOfPressure ? gain * gain : gain
  }

  /// The offset of a position to the right, in m.
  func side(of place: Vector3) -> Double {
    guard pansByAzimuth else { return place.x }
    // An angle of more than a quarter turn counts as the side itself.
    let share = Arc.tangent(place.x, -place.z) / (Arc.half / 2)
    return max(-1, min(1, share)) * place.length
  }
}
