import TelecapRecording

/// One sample of a touch (touch.md; NevHaptics, Concepts): where a finger is and how hard it presses.
public struct TouchSample: Hashable, Sendable {
  /// What the finger does.
  public enum Phase: String, Sendable, CaseIterable {
    case began, moved, stationary, ended, cancelled

    /// The finger is gone after it.
    public var isLast: Bool { self == .ended || self == .cancelled }
  }

  /// Nanoseconds since the trace began.
  public var time: Nanoseconds
  /// Which finger, from 0.
  public var finger: Int
  /// What it does.
  public var phase: Phase
  /// Points from the left of the screen.
  public var x: Double
  /// Points from the top of the screen.
  public var y: Double
  /// How hard it presses; 1 is an average touch (UITouch.force).
  public var force: Double
  /// The most that the device can measure; 0 where it measures no pressure (UITouch.maximumPossibleForce).
  public var maximumForce: Double

  /// What devices with pressure report as the most.
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
