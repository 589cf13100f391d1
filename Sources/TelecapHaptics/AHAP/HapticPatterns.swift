extension AHAP {
  /// HapticManager's patterns (haptics.md, HapticManager's patterns) and the explosion of seed 001.
  public enum Named: Hashable, Sendable {
    /// A pattern of HapticManager.
    case manager(ManagerPattern)
    /// A crack and a decaying rumble (seed 001, 2.2).
    case explosion
  }

  /// A named pattern. Intensities are clamped to 0…1; NaN is 0.
  public init(_ named: Named) {
    switch named {
    case .manager(let pattern): self.init(pattern.events.map { .event(AHAP.Event($0)) })
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
  /// The AHAP event of an event of HapticManager.
  public init(_ event: ManagerPattern.Event) {
    let (intensity, sharpness) = (AHAP.Event.decimal(event.intensity), AHAP.Event.decimal(event.sharpness))
    let time = Double(event.time) / 1e9
    guard let duration = event.duration else {
      self = .transient(at: time, intensity: intensity, sharpness: sharpness)
      return
    }
    self = .continuous(at: time, lasting: Double(duration) / 1e9, intensity: intensity, sharpness: sharpness)
  }

  /// The shortest decimal of a Float as a Double: 0.4, not 0.4000000059604645.
  private static func decimal(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

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
  /// The type and strength in words.
  public var description: String {
    switch self {
    case .manager(.normal): "One light tap"
    case .manager(.multi(let frequency, let amplitude)):
      "Multi pattern, frequency \(frequency), amplitude \(amplitude)"
    case .manager(.gradual(let intensity)): "Swells and fades over two seconds, up to \(intensity)"
    case .manager(.heavy): "Strong at first, then weaker"
    case .explosion: "High-energy ring detonation: a crack, and a rumble that dies away"
    }
  }
}
