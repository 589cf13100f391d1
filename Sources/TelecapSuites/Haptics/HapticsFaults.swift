import TelecapHaptics

/// The faults of a player of AHAP patterns.
enum AHAPFault: String, CaseIterable, Sendable {
  /// A missing intensity or sharpness is 0.
  case defaultsZero = "defaults-zero"
  /// Values out of range are not clamped.
  case noClamp = "no-clamp"
  /// Corrects values without a finding.
  case silent
  /// An unknown key is an error.
  case refusesUnknownKeys = "refuses-unknown-keys"
  /// Plays the readable part of a malformed file.
  case acceptsMalformed = "accepts-malformed"
  /// A malformed file removes the pattern before it.
  case losesOnMalformed = "loses-on-malformed"
  /// Crashes on a malformed file.
  case crashesOnMalformed = "crashes-on-malformed"
  /// A curve jumps from point to point.
  case stepsCurves = "steps-curves"
  /// Times of control points count from the start of the pattern.
  case absoluteTimes = "absolute-times"

  /// Changes the rules of evaluation to this fault.
  func change(_ rules: inout EvaluationRules) {
    switch self {
    case .defaultsZero: rules.hasDefaults = false
    case .noClamp: rules.clamps = false
    case .stepsCurves: rules.interpolates = false
    case .absoluteTimes: rules.isRelative = false
    case .silent, .refusesUnknownKeys, .acceptsMalformed, .losesOnMalformed, .crashesOnMalformed: break
    }
  }
}

/// The faults of a haptic engine and its manager.
enum HapticsFault: String, CaseIterable, Sendable {
  /// `normal` at 0.5.
  case normalTooStrong = "normal-too-strong"
  /// A frequency of exactly 2 is taken for a high one.
  case multiBorder = "multi-border"
  /// `gradual` only rises.
  case gradualLinear = "gradual-linear"
  /// `gradual` ends after 1.2 s.
  case gradualShort = "gradual-short"
  /// `heavy` becomes stronger.
  case heavyGrows = "heavy-grows"
  /// Does not restart after a playback failure.
  case noRestartOnFailure = "no-restart-on-failure"
  /// Does not restart after a reset.
  case noRestartOnReset = "no-restart-on-reset"
  /// Reloads its patterns after a reset.
  case forgetsPatterns = "forgets-patterns"
  /// Reports playback on a device without haptics.
  case playsUnsupported = "plays-unsupported"
  /// Crashes on a device without haptics.
  case crashesUnsupported = "crashes-unsupported"
  /// Starts display, audio and haptics immediately.
  case startsNow = "starts-now"
  /// Plans ahead without subtracting latency.
  case ignoresLatency = "ignores-latency"
  /// Plays patterns on a hot device.
  case playsWhenSerious = "plays-when-serious"
  /// Plays the pattern in low-power mode.
  case lowPowerPlays = "low-power-plays"
  /// Plays three impacts in low-power mode.
  case lowPowerThreeImpacts = "low-power-three-impacts"

  /// The rules of its engine.
  func change(_ rules: inout HapticEngine.Rules) {
    switch self {
    case .noRestartOnFailure: rules.restartsOnFailure = false
    case .noRestartOnReset: rules.restartsOnReset = false
    case .forgetsPatterns: rules.keepsPatterns = false
    case .playsUnsupported: rules.checksSupport = false
    case .playsWhenSerious: rules.obeysHeat = false
    case .lowPowerPlays: rules.obeysLowPower = false
    case .lowPowerThreeImpacts: rules.impactsToSavePower = 3
    default: break
    }
  }

  /// The rules of its manager.
  func change(_ rules: inout ManagerPattern.Rules) {
    switch self {
    case .normalTooStrong: rules.normalIntensity = 0.5
    case .multiBorder: rules.borderIsLow = false
    case .gradualLinear: rules.gradualFalls = false
    case .gradualShort: rules.gradualEvents = 12
    case .heavyGrows: rules.heavyWeakens = false
    default: break
    }
  }
}

/// The faults of a touch tracer.
enum TouchFault: String, CaseIterable, Sendable {
  /// A force equal to the threshold activates.
  case thresholdInclusive = "threshold-inclusive"
  /// Forwards light touches too.
  case forwardsLight = "forwards-light"
  /// A deep press is forwarded without its `began`.
  case swallowsBegan = "swallows-began"
  /// Traces again when a forwarded touch becomes light.
  case forgetsLatch = "forgets-latch"
  /// Forwards the next touch too, even a light one.
  case latchStays = "latch-stays"
  /// The distance to the last impact counts from the corner of the screen.
  case globalLastPoint = "global-last-point"
  /// Frames are taken for screen coordinates.
  case screenCoordinates = "screen-coordinates"
  /// Edges are felt only on entry.
  case edgesEnterOnly = "edges-enter-only"
  /// Grain is felt at every sample.
  case grainEverySample = "grain-every-sample"
  /// A scroll view begins with the medium impact.
  case mediumFirst = "medium-first"
  /// A smooth view is felt.
  case feelsSmooth = "feels-smooth"
  /// A light tap activates.
  case lightTapActivates = "light-tap-activates"
  /// Traces on a device without pressure.
  case tracesWithoutPressure = "traces-without-pressure"
  /// Every finger is traced.
  case tracesEveryFinger = "traces-every-finger"
  /// Looks for the view under the finger only when the touch begins.
  case looksOnce = "looks-once"

  /// The rules of its tracing.
  var rules: TracingRules {
    var rules = TracingRules()
    switch self {
    case .thresholdInclusive: rules.activatesAtThreshold = true
    case .forwardsLight: rules.handsLightOn = true
    case .swallowsBegan: rules.tellsBegan = false
    case .forgetsLatch: rules.keepsLatch = false
    case .latchStays: rules.endsLatch = false
    case .globalLastPoint: rules.measuresFromTouch = false
    case .screenCoordinates: rules.framesAreNested = false
    case .edgesEnterOnly: rules.feelsWayOut = false
    case .grainEverySample: rules.grainsAlways = true
    case .mediumFirst: rules.scrollsMediumFirst = true
    case .feelsSmooth: rules.feelsSmooth = true
    case .lightTapActivates: rules.tapNanoseconds = 300_000_000
    case .tracesWithoutPressure: rules.needsPressure = false
    case .tracesEveryFinger: rules.tracesOneFinger = false
    case .looksOnce: rules.looksAgain = false
    }
    return rules
  }
}
