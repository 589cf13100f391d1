import TelecapRecording

/// What becomes of one packet: one line of a plan (semantics.md, Plans).
public struct PlanLine: Hashable, Sendable {
  /// Delivered, perhaps more than once, or dropped.
  public enum Verdict: UInt8, Hashable, Sendable {
    /// At least one copy is delivered.
    case deliver
    /// No copy is.
    case drop
  }

  /// The packet's number in its capture, from 1.
  public var packet: Int
  /// Delivered or dropped.
  public var verdict: Verdict
  /// The impairment that decided: what dropped the packet (as loss and rate do), or what put its mark on a delivered one
  /// (as reorder does). Nil for a packet that took its own course, and where a person left it out.
  public var by: ImpairmentID?
  /// When each copy is due: ns from the start of the run, ascending; empty for a dropped packet.
  public var due: InlineList<Nanoseconds>
  /// Which bits of the payload are flipped, in every copy: bit b is the one of value `0x80 >> (b % 8)` in byte b / 8.
  public var flips: InlineList<UInt32>
  /// Which fields of its message become what, in every copy, before bits are flipped.
  public var changes = FieldChanges()

  /// A packet delivered at these times.
  public static func deliver(
    _ packet: Int, due: InlineList<Nanoseconds>, flips: InlineList<UInt32> = [], changes: FieldChanges = FieldChanges(),
    by: ImpairmentID? = nil
  ) -> PlanLine {
    PlanLine(packet: packet, verdict: .deliver, by: by, due: due, flips: flips, changes: changes)
  }

  /// A packet dropped by an impairment, or by the person who edited the plan.
  public static func drop(_ packet: Int, by: ImpairmentID?) -> PlanLine {
    PlanLine(packet: packet, verdict: .drop, by: by, due: [], flips: [])
  }
}

/// What the planner needs to know of a packet.
public struct PlannedPacket: Hashable, Sendable {
  /// Its number in the capture, from 1. Packets come in ascending order of their numbers.
  public var number: Int
  /// When it would be sent: ns from the start of the run (`Timeline`). One that goes back counts as the time before it.
  public var time: Nanoseconds
  /// Its flow: 0, 1, 2 … in the order in which flows are met.
  public var flow: UInt32
  /// How many bytes its payload has.
  public var length: Int
  /// Whether the impairments apply to it (`--where`).
  public var isSelected: Bool

  /// A packet of these values.
  public init(number: Int, time: Nanoseconds, flow: UInt32 = 0, length: Int, isSelected: Bool = true) {
    self.number = number
    self.time = time
    self.flow = flow
    self.length = length
    self.isSelected = isSelected
  }
}
