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
    public var time: Int64
    /// How long it lasts, ns; nil for a transient.
    public var duration: Int64?
    /// 0…1.
    public var intensity: Float
    /// 0…1.
    public var sharpness: Float

    /// An event of these values.
    public init(time: Int64, duration: Int64?, intensity: Float, sharpness: Float) {
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

  /// The events, by time.
  public var events: [Event] {
    switch self {
    case .normal: [Event(time: 0, duration: nil, intensity: 0.4, sharpness: 0.2)]
    case .multi(let frequency, let amplitude):
      [ManagerPattern.multi(frequency, HapticStrength.clamped(Float(amplitude)))]
    case .gradual(let intensity): ManagerPattern.bell(HapticStrength.clamped(intensity))
    case .heavy:
      (0..<5).map { step in
        Event(time: Int64(step) * 200 * ms, duration: 200 * ms, intensity: Float(5 - step) / 5, sharpness: 0.3)
      }
    }
  }

  /// How long it lasts, ns; 0 for a transient.
  public var duration: Int64 { events.map { $0.time + ($0.duration ?? 0) }.max() ?? 0 }

  private static func multi(_ frequency: Double, _ amplitude: Float) -> Event {
    guard frequency <= lowFrequency else {
      return Event(time: 0, duration: nil, intensity: amplitude * 0.6, sharpness: 0.5)
    }
    return Event(time: 0, duration: 200 * ms, intensity: amplitude * 0.7, sharpness: 0.3)
  }

  /// Twenty events of 0.1 s over 2 s: intensity × (1 − (2p − 1)²), p the share of the 2 s at which an event begins, so
  /// that the eleventh, in the middle, has all of it. The document gives no sharpness; the field's code has 0.5.
  private static func bell(_ intensity: Float) -> [Event] {
    (0..<20).map { step in
      let fromMiddle = (Float(step) - 10) / 10
      return Event(
        time: Int64(step) * 100 * ms, duration: 100 * ms, intensity: intensity * (1 - fromMiddle * fromMiddle),
        sharpness: 0.5)
    }
  }
}

/// A millisecond in nanoseconds.
private let ms: Int64 = 1_000_000
