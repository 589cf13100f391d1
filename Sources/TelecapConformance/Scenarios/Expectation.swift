import TelecapModels
import TelecapRecording

/// One entry of a scenario's `expect`: what must hold over a run.
public enum Expectation: Hashable, Sendable {
  /// What the oracle says of this requirement: the states that the rules allow, computed from what was delivered.
  case stream(StreamRequirement)
  /// No requirement on streams that the system shows anything of is broken.
  case everyStream
  /// Every step got the answer that it names.
  case answers
  /// The poses applied, by their seq, in this order and no others: one of these lists.
  case poses([[UInt16]])
  /// The strengths at which the motor ran, each change once, from 0 at the start: one of these lists.
  case strengths([[Float]])
  /// The impacts that were played, in order.
  case impacts([HapticImpact])
  /// The commands applied, in this order: those that made a difference.
  case commands([Command])
  /// Where the pointer is at the end, from where it began.
  case pointer(deltaX: Int, deltaY: Int)
  /// Which buttons are down at the end.
  case buttons(UInt8)
  /// HELLO comes at least this often, in ns, from the first time to the second.
  case helloEvery(Int64, from: Timestamp, to: Timestamp)
  /// The phone notices the loss of its session this long after the last ACK, in ns.
  case noticesLoss(after: ClosedRange<Int64>)
  /// Every HAPTIC that the host sends is in range, and at least so many come.
  case hapticInRange(atLeast: Int)
  /// The packets of each movement that was asked for keep this rule.
  case movements(MovementRule)
  /// The last call of the API was refused for this reason, and nothing was sent for it.
  case refused(MouseError)
  /// A device tells exactly these lines, each with its time.
  case tells([String])
  /// A device tells each of these, in this order, whatever comes between.
  case includes([String])
  /// A device tells nothing that begins like this.
  case never([String])
  /// What is measured is no more than this, in the measure's unit.
  case atMost(Measure, Double)
  /// The HID reports that were sent, byte by byte.
  case reports([[UInt8]])

  /// A command: its cmd_type and its value.
  public struct Command: Hashable, Sendable {
    /// 1 RECORDING, 2 KEEP_RECORDING.
    public var type: UInt8
    /// 0 or 1.
    public var value: UInt8

    /// A command.
    public init(type: UInt8, value: UInt8) {
      self.type = type
      self.value = value
    }
  }

  /// What a mouse's packets for one movement are held to.
  public enum MovementRule: String, Hashable, Sendable, CaseIterable {
    /// The first packet holds the movement, clamped to −127…127.
    case clamped
    /// No byte of delta or scroll is 0x80.
    case neverMinus128 = "never-minus-128"
    /// They add up to the movement.
    case sum
    /// They carry the same buttons, and scroll once.
    case buttons
  }
}
