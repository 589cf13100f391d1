import TelecapRecording

/// One sample of a touch (touch.md; NevHaptics, Concepts): the position and pressure of a finger.
public struct TouchSample: Hashable, Sendable {
  /// The phase of a touch.
  public enum Phase: String, Sendable, CaseIterable {
    case began, moved, stationary, ended, cancelled

    /// Whether the finger is gone after it.
    public var isLast: Bool { self == .ended || self == .cancelled }
  }

  /// Nanoseconds since the trace began.
  public var time: Nanoseconds
  /// The index of the finger.
  public var finger: Int
  /// The phase.
  public var phase: Phase
  /// Points from the left of the screen.
  public var x: Double
  /// Points from the top of the screen.
  public var y: Double
  /// The pressure; 1 is an average touch (UITouch.force).
  public var force: Double
  /// The maximum that the device can measure; 0 without pressure sensing (UITouch.maximumPossibleForce).
  public var maximumForce: Double

  /// The maximum force that devices with pressure sensing report.
  public static let usualMaximumForce = 20.0 / 3

  /// A sample of these values.
  public init(
    time: Nanoseconds = 0, finger: Int = 0, _ phase: Phase, x: Double, y: Double, force: Double,
    maximumForce: Double = usualMaximumForce
  ) {
    self.time = time
    self.finger = finger
    self.phase = phase
    self.x = x
    self.y = y
    self.force = force
    self.maximumForce = maximumForce
  }
}
