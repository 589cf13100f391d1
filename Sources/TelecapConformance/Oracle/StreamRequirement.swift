/// The requirements on streams of values, which the oracle judges while a run goes on; id, level and origin are
/// those of the suites' `Requirement`s.
public enum StreamRequirement: String, Sendable, CaseIterable {
  /// The last intensity received is the one that is played.
  case hapticLatest = "tele.haptic.latest-value-wins"
  /// After a stall the output settles on the last value, with no catch-up.
  case hapticNoQueue = "tele.haptic.no-queue"
  /// More than 1 is played as 1.
  case hapticClampHigh = "tele.haptic.clamp-high"
  /// Less than 0 is played as 0.
  case hapticClampLow = "tele.haptic.clamp-low"
  /// NaN is 0 or dropped, never more than before.
  case hapticNotANumber = "tele.haptic.not-a-number"
  /// Intensity 0 stops the output.
  case hapticZeroStops = "tele.haptic.zero-stops"
  /// Before ACK nothing is played.
  case hapticNeedsSession = "tele.haptic.needs-session"
  /// When the session is lost the output is off.
  case safeOnLoss = "tele.session.safe-on-loss"
  /// A pose is applied only if it is newer than every pose applied before it.
  case poseLatest = "tele.pose.latest-value-wins"
  /// A duplicate pose is not applied again.
  case poseDuplicate = "tele.pose.duplicate"
  /// A pose that holds NaN or ∞ is not applied.
  case poseNotFinite = "tele.pose.non-finite"
  /// A pose is applied as it was sent, or not at all.
  case poseWhole = "tele.pose.quaternion"
  /// The pointer is the sum of what was received.
  case pointerSum = "mouse.pointer.sum"
  /// The pointer never leaves the screen, and movement back counts at once.
  case pointerScreen = "mouse.pointer.screen"
  /// The last packet received is the state of the buttons.
  case buttonsLatest = "mouse.buttons.latest-value-wins"
  /// Bits 3 to 7 are ignored.
  case buttonsReserved = "mouse.buttons.reserved"
  /// A release over TCP mends a lost one over UDP.
  case buttonsControl = "mouse.buttons.control-repairs"
  /// What is no mouse packet changes nothing.
  case mouseInvalid = "mouse.header.unknown"

  /// How much it weighs.
  public var level: Requirement.Level {
    switch self {
    case .hapticNotANumber, .safeOnLoss, .poseNotFinite, .poseWhole, .buttonsControl: .should
    default: .must
    }
  }

  /// The rule is ours, not the text's; a report must say so.
  public var isDerived: Bool {
    switch self {
    case .hapticNotANumber, .safeOnLoss, .poseNotFinite: true
    default: false
    }
  }
}
