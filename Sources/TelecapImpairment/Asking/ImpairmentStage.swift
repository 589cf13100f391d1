import TelecapRecording

/// What an impairment does in a run: when it decides, and the machine that does.
public enum ImpairmentStage: Sendable {
  /// It decides on each packet, in the order of their numbers.
  case packets(any PacketStage)
  /// The same, and it may hold packets back behind others (`PlanDraft.heldBehind`).
  case holding(any PacketStage)
  /// It decides on each copy, in the order in which copies leave.
  case leaving(any LeavingStage)
}

/// Decides on packets by ascending number. It is asked for every packet that is selected and that no stage before it
/// dropped; it must not allocate.
public protocol PacketStage: Sendable {
  /// Changes what becomes of a packet: drops it, flips bits, adds copies, moves their due times, holds it back. The
  /// packet's time never goes back.
  mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft)
}

/// Decides when copies leave. It is asked for each copy of a selected packet, in the order in which they come to it; it
/// must not allocate for each.
public protocol LeavingStage: Sendable {
  /// When a copy that is ready at `time` (ns from the start of the run) leaves, with so many bytes of payload; nil when
  /// it is dropped. Times never go back, in or out.
  mutating func leave(payload: Int, at time: Nanoseconds) -> Nanoseconds?
}

/// A plan line in the making: what the stages have decided so far.
public struct PlanDraft: Sendable {
  /// What becomes of the packet. It begins as one copy, due when the packet is sent.
  public var line: PlanLine
  /// Which fields of the message are to be changed. What that comes to is put into `line` once somebody has looked at the
  /// message, behind all stages.
  public var wish = RequestedChanges()
  /// Behind how many later packets of its flow it leaves; 0 when it is not held back. Held packets of one flow leave in
  /// the order in which they came, and none is held for longer than `longestHold`. Only a stage that is `holding` may
  /// set it.
  public var heldBehind = 0

  /// No packet is held longer than this, in run time, so that memory stays bounded when its flow falls silent: 10 s.
  public static let longestHold = Interval.seconds(10)

  /// The draft of a packet to which nothing has been done.
  @inline(__always)
  public init(_ packet: PlannedPacket) {
    line = .deliver(packet.number, due: InlineList(packet.time))
  }
}
