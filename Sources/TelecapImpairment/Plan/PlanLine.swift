import TelecapRecording

/// The fate of one packet: one line of a plan (semantics.md, Plans).
public struct PlanLine: Hashable, Sendable {
  /// Whether a packet is delivered, perhaps more than once, or dropped.
  public enum Verdict: UInt8, Hashable, Sendable {
    /// At least one copy is delivered.
    case deliver
    /// No copy is delivered.
    case drop
  }

  /// The packet's number in its capture, from 1.
  public var packet: Int
  /// Whether the packet is delivered or dropped.
  public var verdict: Verdict
  /// The impairment that decided: the one that dropped the packet (such as loss and rate), or that marked a delivered
  /// one (such as reorder). Nil for other delivered packets, and for packets that the user dropped.
  public var by: ImpairmentID?
  /// The due times of the copies: ns from the start of the run, ascending; empty for a dropped packet.
  public var due: InlineList<Nanoseconds>
  /// The bits of the payload to flip, in every copy: bit b is the one of value `0x80 >> (b % 8)` in byte b / 8.
  public var flips: InlineList<UInt32>
  /// The changed fields of its message, in every copy, applied before bits are flipped.
  public var changes = FieldChanges()

  /// A packet delivered at these times.
  public static func deliver(
    _ packet: Int, due: InlineList<Nanoseconds>, flips: InlineList<UInt32> = [], changes: FieldChanges = FieldChanges(),
    by: ImpairmentID? = nil
  ) -> PlanLine {
    PlanLine(packet: packet, verdict: .deliver, by: by, due: due, flips: flips, changes: changes)
  }

  /// A packet dropped by an impairment, or by the user who edited the plan.
  public static func drop(_ packet: Int, by: ImpairmentID?) -> PlanLine {
    PlanLine(packet: packet, verdict: .drop, by: by, due: [], flips: [])
  }
}

/// The data of a packet that the planner needs.
public struct PlannedPacket: Hashable, Sendable {
  /// Its number in the capture, from 1. Numbers must be ascending.
  public var number: Int
  /// The time of unimpaired sending: ns from the start of the run (`Timeline`). If it goes back, the time before it
  /// counts.
  public var time: Nanoseconds
  /// Its flow: 0, 1, 2 … in the order of the flows' first packets.
  public var flow: UInt32
  /// The length of its payload in bytes.
  public var length: Int
  /// Whether the impairments apply to it (`--where`).
  public var isSelected: Bool

  /// A packet with these values.
  public init(number: Int, time: Nanoseconds, flow: UInt32 = 0, length: Int, isSelected: Bool = true) {
    self.number = number
    self.time = time
    self.flow = flow
    self.length = length
    self.isSelected = isSelected
  }
}
