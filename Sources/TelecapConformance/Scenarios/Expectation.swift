import TelecapModels
import TelecapRecording

/// One entry of a scenario's `expect`: what must hold over a run.
public protocol Expectation: Sendable {
  /// How it came out.
  func judge(_ run: JudgedRun) -> Outcome
}

/// What is judged by the wire, and by what a system shows of its state.
public enum WireExpectation: Hashable, Sendable {
  /// What the oracle says of the requirement of this id: the states that the rules allow, computed from what was delivered.
  case stream(String)
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

extension WireExpectation: Expectation {
  public func judge(_ run: JudgedRun) -> Outcome {
    switch self {
    case .stream(let requirement): run.stream(requirement)
    case .everyStream: run.everyStream()
    case .answers: run.answers()
    case .poses(let either): run.poses(either)
    case .strengths(let either): run.strengths(either)
    case .impacts(let impacts): run.impacts(impacts)
    case .commands(let commands): run.commands(commands)
    case .pointer(let deltaX, let deltaY): run.pointer(deltaX, deltaY)
    case .buttons(let bitmap): run.buttons(bitmap)
    case .helloEvery(let longest, let from, let to): run.helloEvery(longest, from, to)
    case .noticesLoss(let after): run.noticesLoss(after)
    case .hapticInRange(let count): run.hapticInRange(count)
    case .movements(let rule): run.movements(rule)
    case .refused(let error): run.refused(error)
    case .reports(let reports): run.reports(reports)
    case .atMost(let measure, let limit): run.threshold(measure, limit)
    }
  }
}
