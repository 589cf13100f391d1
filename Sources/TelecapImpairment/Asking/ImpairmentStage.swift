import TelecapRecording

/// The state machine of an impairment in a run, by the time of its decisions.
public enum ImpairmentStage: Sendable {
  /// Decides on each packet, in the order of their numbers.
  case packets(any PacketStage)
  /// The same, and it may hold packets back until later ones have left (`PlanDraft.heldBehind`).
  case holding(any PacketStage)
  /// Decides on each copy, in the order of departure.
  case leaving(any LeavingStage)
}

/// Decides on packets in ascending order. Called for every selected packet that no earlier stage has dropped; must not
/// allocate.
public protocol PacketStage: Sendable {
  /// Changes the fate of a packet: drops it, flips bits, adds copies, shifts due times, or holds it back. The packets'
  /// times never go back.
  mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft)
}

/// Decides when copies leave. Called for each copy of a selected packet, in the order of arrival; must not allocate per
/// copy.
public protocol LeavingStage: Sendable {
  /// The departure time of a copy with this many payload bytes that is ready at `time` (ns from the start of the run);
  /// nil if it is dropped. Times never go back, in or out.
  mutating func leave(payload: Int, at time: Nanoseconds) -> Nanoseconds?
}

/// An unfinished plan line: the decisions of the stages so far.
public struct PlanDraft: Sendable {
  /// The fate of the packet. Initially one copy, due when the packet is sent.
  public var line: PlanLine
  /// The fields of the message to change. The resulting values are added to `line` after all stages, when the message
  /// is decoded.
  public var wish = RequestedChanges()
  /// The number of later packets of its flow that leave before it; 0 if it is not held back. Held packets of one flow
  /// leave in order, and none is held for longer than `longestHold`. Only a stage that is `holding` may set it.
  public var heldBehind = 0

  /// The maximum time for which a packet is held, in run time, so that memory stays bounded if its flow stops: 10 s.
  public static let longestHold = Interval.seconds(10)

  /// The draft of an unimpaired packet.
  @inline(__always)
  public init(_ packet: PlannedPacket) {
    line = .deliver(packet.number, due: InlineList(packet.time))
  }
}
