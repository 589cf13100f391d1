/// What the placing of sounds keeps to. As it stands it is right (haptics.md, Where the sound comes from); a system that is
/// wrong differs in one of these.
public struct SoundRules: Hashable, Sendable {
  /// Positions are scaled to metres.
  public var scales = true
  /// A sound is at its full strength up to the reference distance; otherwise it becomes louder still.
  public var isFullAtReference = true
  /// It fades no further from the maximum distance on.
  public var holdsMaximum = true
  /// By the inverse law it fades as sound pressure does; otherwise as power, by the square.
  public var inverseIsOfPressure = true
  /// The linear law begins at the reference; otherwise at the listener.
  public var linearBeginsAtReference = true
  /// The exponential law goes by the rolloff; otherwise by 1.
  public var exponentialHasRolloff = true
  /// What is left is heard right.
  public var swapsEars = false
  /// What is behind is heard as far to the side as a turn that far is.
  public var pansByAzimuth = false
  /// A headset delays what the far ear hears.
  public var delaysFarEar = true
  /// The world turns with the listener, in place of the other way.
  public var turnsWithListener = false
  /// The head counts without a headset too.
  public var headCountsOnSpeakers = false
  /// A source of two channels is placed.
  public var placesBeds = false

  /// The right ones.
  public init() {}

  /// The gain at so many metres, by these rules.
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

  /// How far to the right a place is, in m.
  func side(of place: Vector3) -> Double {
    guard pansByAzimuth else { return place.x }
    // An angle of more than a quarter turn is taken for the side itself.
    let share = Arc.tangent(place.x, -place.z) / (Arc.half / 2)
    return max(-1, min(1, share)) * place.length
  }
}
