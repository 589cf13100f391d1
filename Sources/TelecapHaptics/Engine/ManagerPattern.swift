import TelecapRecording

/// The four patterns of HapticManager (HapticManager Documentation, Methods), as exact events.
public enum ManagerPattern: Hashable, Sendable {
  /// A short tap.
  case normal
  /// A rumble at low frequencies, a tap at high ones; the amplitude is clamped to 0…1, NaN is 0.
  case multi(frequency: Double, amplitude: Double)
  /// A rise to `intensity` and a fall in 2 s; clamped to 0…1, NaN is 0.
  case gradual(intensity: Float)
  /// A strong start that weakens step by step.
  case heavy

  /// One haptic event.
  public struct Event: Hashable, Sendable {
    /// Nanoseconds since the pattern began.
    public var time: Nanoseconds
    /// The duration in ns; nil for a transient.
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

  /// The default intensity of `gradual`.
  public static let gradualIntensity: Float = 0.6
  /// The maximum frequency at which `multi` is a rumble.
  public static let lowFrequency = 2.0

  /// The rules of the manager. The defaults are correct (HapticManager, Methods); a mutant differs in one of them.
  public struct Rules: Hashable, Sendable {
    /// The intensity of `normal`.
    public var normalIntensity: Float = 0.4
    /// Whether a frequency of exactly `lowFrequency` is low.
    public var borderIsLow = true
    /// Whether `gradual` falls again after its middle; otherwise it only rises.
    public var gradualFalls = true
    /// The number of 0.1 s events of `gradual`.
    public var gradualEvents = 20
    /// Whether `heavy` weakens from event to event; otherwise it strengthens.
    public var heavyWeakens = true

    /// The correct rules.
    public init() {}
  }

  /// The events, in order of time.
  public var events: [Event] { events(by: Rules()) }

  /// The total duration in ns; 0 for a transient.
  public var duration: Nanoseconds { duration(by: Rules()) }

  /// The total duration by these rules, in ns; 0 for a transient.
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

  /// Twenty events of 0.1 s over 2 s: intensity × (1 − (2p − 1)²), where p is the middle of an event as a share of the
  /// 2 s, so that the pattern is symmetric. The document gives no sharpness; deployed code has 0.5.
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
