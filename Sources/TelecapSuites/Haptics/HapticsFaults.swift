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

  /// Its arithmetic, where that is what is wrong.
  var evaluation: PlainEvaluation? {
    var plain = PlainEvaluation()
    switch self {
    case .defaultsZero: plain.defaults = (0, 0)
    case .noClamp: plain.clamps = false
    case .stepsCurves: plain.interpolates = false
    case .absoluteTimes: plain.isRelative = false
    case .silent, .refusesUnknownKeys, .acceptsMalformed, .losesOnMalformed, .crashesOnMalformed: return nil
    }
    return plain
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
}
