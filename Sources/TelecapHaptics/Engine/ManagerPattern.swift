import TelecapRecording

/// The four patterns of HapticManager (HapticManager Documentation, Methods), as events to the number.
public enum ManagerPattern: Hashable, Sendable {
  /// A short tap.
  case normal
  /// A rumble at low frequencies, a tap at high ones; the amplitude is held to 0…1, NaN is 0.
  case multi(frequency: Double, amplitude: Double)
  /// Up to `intensity` and down again in 2 s; held to 0…1, NaN is 0.
  case gradual(intensity: Float)
  /// Strong at first, weaker from step to step.
  case heavy

  /// One haptic event.
  public struct Event: Hashable, Sendable {
    /// Nanoseconds since the pattern began.
    public var time: Nanoseconds
    /// How long it lasts, ns; nil for a transient.
    public var duration: Nanoseconds?
    /// 0…1.
    public var intensity: Float
    /// 0…1.
    public var sharpness: Float

    /// An event of these values.
    public init(time: Nanoseconds, duration: Nanoseconds?, intensity: Float, sharpness: Float) {
      self.time = time
      self.duration = duration
      self.intensity = intensity
      self.sharpness = sharpness
    }
  }

  /// `gradual` where the caller names no intensity.
  public static let gradualIntensity: Float = 0.6
  /// Up to this frequency, and at it, `multi` is a rumble.
  public static let lowFrequency = 2.0

  /// What the manager keeps to. As it stands it is right (HapticManager, Methods); a manager that is wrong differs in one
  /// of these.
  public struct Rules: Hashable, Sendable {
    /// The intensity of `normal`.
    public var normalIntensity: Float = 0.4
    /// A frequency of just `lowFrequency` is low.
    public var borderIsLow = true
    /// `gradual` comes down again behind its middle; otherwise it only rises.
    public var gradualFalls = true
    /// How many events of 0.1 s `gradual` has.
    public var gradualEvents = 20
    /// `heavy` becomes weaker from event to event; otherwise stronger.
    public var heavyWeakens = true

    /// The right ones.
    public init() {}
  }

  /// The events, by time.
  public var events: [Event] { events(by: Rules()) }

  /// How long it lasts, ns; 0 for a transient.
  public var duration: Nanoseconds { duration(by: Rules()) }

  /// How long it lasts by these rules, ns; 0 for a transient.
  public func duration(by rules: Rules) -> Nanoseconds {
    events(by: rules).map { $0.time + ($0.duration ?? 0) }.max() ?? 0
  }

  /// The events by these rules.
  public func events(by rules: Rules) -> [Event] {
    switch self {
    case .normal: [Event(time: 0, duration: nil, intensity: rules.normalIntensity, sharpness: 0.2)]
    case .multi(let frequency, let amplitude):
      [ManagerPattern.multi(frequency, HapticStrength.clamped(Float(amplitude)), rules)]
    case .gradual(let intensity): ManagerPattern.bell(HapticStrength.clamped(intensity), rules)
    case .heavy:
      (0..<5).map { step in
        Event(
          time: Int64(step) * 200 * ms, duration: 200 * ms,
          intensity: Float(rules.heavyWeakens ? 5 - step : step + 1) / 5, sharpness: 0.3)
      }
    }
  }

  private static func multi(_ frequency: Double, _ amplitude: Float, _ rules: Rules) -> Event {
    guard frequency < lowFrequency || (frequency == lowFrequency && rules.borderIsLow) else {
      return Event(time: 0, duration: nil, intensity: amplitude * 0.6, sharpness: 0.5)
    }
    return Event(time: 0, duration: 200 * ms, intensity: amplitude * 0.7, sharpness: 0.3)
  }

  /// Twenty events of 0.1 s over 2 s: intensity × (1 − (2p − 1)²), p the share of the 2 s in the middle of an event, so
  /// that it is the same backwards. The document gives no sharpness; the field's code has 0.5.
  private static func bell(_ intensity: Float, _ rules: Rules) -> [Event] {
    (0..<rules.gradualEvents).map { step in
      let fromMiddle = (Float(step) - 9.5) / 10
      let share = rules.gradualFalls ? 1 - fromMiddle * fromMiddle : Float(step) / 20
      return Event(time: Int64(step) * 100 * ms, duration: 100 * ms, intensity: intensity * share, sharpness: 0.5)
    }
  }
}

/// A millisecond in nanoseconds.
private let ms: Int64 = 1_000_000
