extension AHAP {
  /// `EventType`; an unknown one keeps its name.
  public enum EventType: Hashable, Sendable {
    case hapticTransient, hapticContinuous, audioContinuous, audioCustom
    case unknown(String)

    /// The types of the format.
    public static let known: [EventType] = [.hapticTransient, .hapticContinuous, .audioContinuous, .audioCustom]

    /// The type of this name.
    public init(_ name: String) { self = EventType.known.first { $0.name == name } ?? .unknown(name) }

    /// Its name in a file.
    public var name: String {
      switch self {
      case .hapticTransient: "HapticTransient"
      case .hapticContinuous: "HapticContinuous"
      case .audioContinuous: "AudioContinuous"
      case .audioCustom: "AudioCustom"
      case .unknown(let name): name
      }
    }
  }

  /// The parameters of events (haptics.md, AHAP: event parameter).
  public enum EventParameter: String, CaseIterable, Hashable, Sendable {
    case hapticIntensity = "HapticIntensity"
    case hapticSharpness = "HapticSharpness"
    case audioVolume = "AudioVolume"
    case attackTime = "AttackTime"
    case decayTime = "DecayTime"
    case releaseTime = "ReleaseTime"
    case sustained = "Sustained"
    case audioPitch = "AudioPitch"
    case audioPan = "AudioPan"
    case audioBrightness = "AudioBrightness"

    /// The range of valid values; `Sustained` is 0 or 1.
    public var range: ClosedRange<Double> {
      switch self {
      case .audioPitch, .audioPan: -1...1
      default: 0...1
      }
    }

    /// The default. For intensity, sharpness and volume it is our choice, because Apple publishes none.
    public var standard: Double {
      switch self {
      case .hapticIntensity, .audioVolume, .sustained, .audioBrightness: 1
      case .hapticSharpness: 0.5
      default: 0
      }
    }
  }

  /// The parameters that change during playback (haptics.md, AHAP: dynamic parameter).
  public enum DynamicParameter: String, CaseIterable, Hashable, Sendable {
    case hapticIntensity = "HapticIntensityControl"
    case hapticSharpness = "HapticSharpnessControl"
    case hapticAttackTime = "HapticAttackTimeControl"
    case hapticDecayTime = "HapticDecayTimeControl"
    case hapticReleaseTime = "HapticReleaseTimeControl"
    case audioVolume = "AudioVolumeControl"
    case audioPan = "AudioPanControl"
    case audioBrightness = "AudioBrightnessControl"
    case audioPitch = "AudioPitchControl"
    case audioAttackTime = "AudioAttackTimeControl"
    case audioDecayTime = "AudioDecayTimeControl"
    case audioReleaseTime = "AudioReleaseTimeControl"

    /// Whether it multiplies an event's parameter; otherwise it is added.
    public var multiplies: Bool { self == .hapticIntensity || self == .audioVolume }

    /// The range of valid values.
    public var range: ClosedRange<Double> { multiplies ? 0...1 : -1...1 }

    /// The value that has no effect.
    public var standard: Double { multiplies ? 1 : 0 }
  }
}

extension ClosedRange<Double> {
  /// The nearest value in the range.
  func clamp(_ value: Double) -> Double { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
