import TelecapHaptics

/// How a player of AHAP patterns can be wrong.
public enum AHAPFault: String, CaseIterable, Sendable {
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
public enum HapticsFault: String, CaseIterable, Sendable {
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
