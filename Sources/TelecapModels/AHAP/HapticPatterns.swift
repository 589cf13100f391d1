extension AHAP {
  /// HapticManager's patterns (haptics.md, HapticManager's patterns) and the explosion of seed 001.
  public enum Named: Hashable, Sendable {
    /// One light tap.
    case normal
    /// A buzz of 0.2 s up to a frequency of 2, a tap above it; `amplitude` 0…1.
    case multi(frequency: Double, amplitude: Double)
    /// Swelling and fading over 2 s; HapticManager's own intensity is 0.6.
    case gradual(intensity: Double)
    /// Strong at first, weaker each 0.2 s.
    case heavy
    /// A crack, and a rumble that dies away (seed 001, 2.2).
    case explosion
  }

  /// A named pattern. Intensities are clamped to 0…1; NaN is 0.
  public init(_ named: Named) {
    switch named {
    case .normal:
      self.init([.event(.transient(at: 0, intensity: 0.4, sharpness: 0.2))])
    case .multi(let frequency, let amplitude) where frequency <= 2:
      self.init([.event(.continuous(at: 0, lasting: 0.2, intensity: amplitude * 0.7, sharpness: 0.3))])
    case .multi(_, let amplitude):
      self.init([.event(.transient(at: 0, intensity: amplitude * 0.6, sharpness: 0.5))])
    case .gradual(let intensity):
      self.init(
        (0..<20).map { index in
          // An event's place is its middle: the bell peaks in the middle of the two seconds (derived).
          let place = (Double(index) + 0.5) / 20
          let bell = 1 - (2 * place - 1) * (2 * place - 1)
          let event = Event.continuous(
            at: Double(index) / 10, lasting: 0.1, intensity: intensity * bell, sharpness: 0.5)
          return .event(event)
        })
    case .heavy:
      self.init(
        (0..<5).map { index in
          let time = Double(2 * index) / 10
          return .event(.continuous(at: time, lasting: 0.2, intensity: Double(5 - index) / 5, sharpness: 0.3))
        })
    case .explosion:
      self.init([
        .event(.transient(at: 0, intensity: 1, sharpness: 1)),
        .event(.continuous(at: 0.02, lasting: 0.6, intensity: 1, sharpness: 1)),
        .curve(Curve(.hapticIntensity, at: 0.02, [Point(0, 1), Point(0.1, 0.4), Point(0.5, 0)])),
        .curve(Curve(.hapticSharpness, at: 0.02, [Point(0, 0), Point(0.1, -0.6), Point(0.5, -1)])),
      ])
    }
    metadata = AHAP.metadata(project: "telecap", description: named.description)
  }
}

extension AHAP.Event {
  /// A tap.
  public static func transient(at time: Double, intensity: Double, sharpness: Double) -> AHAP.Event {
    AHAP.Event(.hapticTransient, at: time, strength(intensity, sharpness))
  }

  /// A buzz.
  public static func continuous(
    at time: Double, lasting duration: Double, intensity: Double, sharpness: Double
  ) -> AHAP.Event {
    AHAP.Event(.hapticContinuous, at: time, lasting: duration, strength(intensity, sharpness))
  }

  private static func strength(_ intensity: Double, _ sharpness: Double) -> [AHAP.Setting] {
    let felt = intensity > 0 ? min(intensity, 1) : 0
    return [
      AHAP.Setting(AHAP.EventParameter.hapticIntensity, felt),
      AHAP.Setting(AHAP.EventParameter.hapticSharpness, sharpness),
    ]
  }
}

extension AHAP.Named: CustomStringConvertible {
  /// What it feels like.
  public var description: String {
    switch self {
    case .normal: "One light tap"
    case .multi(let frequency, let amplitude): "Multi pattern, frequency \(frequency), amplitude \(amplitude)"
    case .gradual(let intensity): "Swells and fades over two seconds, up to \(intensity)"
    case .heavy: "Strong at first, then weaker"
    case .explosion: "High-energy ring detonation: a crack, and a rumble that dies away"
    }
  }
}
