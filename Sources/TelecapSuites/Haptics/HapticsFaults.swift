import TelecapHaptics

/// How a player of AHAP patterns can be wrong.
enum AHAPFault: String, CaseIterable, Sendable {
  /// A missing intensity or sharpness is 0.
  case defaultsZero = "defaults-zero"
  /// Values out of range are played as they are.
  case noClamp = "no-clamp"
  /// Corrects without a word.
  case silent
  /// A key that nobody defined is an error.
  case refusesUnknownKeys = "refuses-unknown-keys"
  /// Plays what it could read of a malformed file.
  case acceptsMalformed = "accepts-malformed"
  /// A malformed file takes the pattern away that was there.
  case losesOnMalformed = "loses-on-malformed"
  /// Crashes on a malformed file.
  case crashesOnMalformed = "crashes-on-malformed"
  /// A curve jumps from point to point.
  case stepsCurves = "steps-curves"
  /// Times of control points count from the start of the pattern.
  case absoluteTimes = "absolute-times"

  /// How it evaluates a pattern.
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

/// How a haptic engine and its manager can be wrong.
enum HapticsFault: String, CaseIterable, Sendable {
  /// `normal` at 0.5.
  case normalTooStrong = "normal-too-strong"
  /// A frequency of just 2 is taken for a high one.
  case multiBorder = "multi-border"
  /// `gradual` only rises.
  case gradualLinear = "gradual-linear"
  /// `gradual` ends after 1.2 s.
  case gradualShort = "gradual-short"
  /// `heavy` becomes stronger.
  case heavyGrows = "heavy-grows"
  /// Stays down when playing failed.
  case noRestartOnFailure = "no-restart-on-failure"
  /// Stays down after a reset.
  case noRestartOnReset = "no-restart-on-reset"
  /// Reads its patterns again after a reset.
  case forgetsPatterns = "forgets-patterns"
  /// Says that it plays on a device without haptics.
  case playsUnsupported = "plays-unsupported"
  /// Crashes on a device without haptics.
  case crashesUnsupported = "crashes-unsupported"
  /// Starts display, audio and haptics now.
  case startsNow = "starts-now"
  /// Plans ahead, and subtracts no latency.
  case ignoresLatency = "ignores-latency"
  /// Plays patterns on a hot device.
  case playsWhenSerious = "plays-when-serious"
  /// Plays the pattern in low-power mode.
  case lowPowerPlays = "low-power-plays"
  /// Plays three impacts in low-power mode.
  case lowPowerThreeImpacts = "low-power-three-impacts"

  /// What its engine keeps to.
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

  /// What its manager keeps to.
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

/// How what traces touches can be wrong.
enum TouchFault: String, CaseIterable, Sendable {
  /// A force of just the threshold activates.
  case thresholdInclusive = "threshold-inclusive"
  /// Hands light touches on, too.
  case forwardsLight = "forwards-light"
  /// A deep press begins without its began.
  case swallowsBegan = "swallows-began"
  /// Traces again when a touch that was handed on becomes light.
  case forgetsLatch = "forgets-latch"
  /// The next touch is handed on too, however light it is.
  case latchStays = "latch-stays"
  /// The distance to the last impact counts from the corner of the screen.
  case globalLastPoint = "global-last-point"
  /// Frames are taken for places on the screen.
  case screenCoordinates = "screen-coordinates"
  /// Edges are felt on the way in only.
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

  /// What it keeps to.
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
