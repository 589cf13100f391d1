import TelecapRecording

/// Turns packets into plan lines. A pure, streaming machine: packets go in by ascending number, lines come out in the same
/// order, one for each packet, as soon as all that matters for them is known.
///
/// A packet that is held back keeps the lines behind it waiting, for at most `PlanDraft.longestHold` of run time.
public struct Planner {
  /// What is asked for.
  public let impairments: Impairments
  /// What the random streams are keyed by.
  public let seed: UInt64
  /// What came out, over the lines emitted so far.
  public private(set) var rates = AppliedRates()

  private var stages: [any PacketStage]
  private var egress: Egress
  /// Whether something is decided in the order of leaving; otherwise lines need not pass the egress.
  private let needsEgress: Bool
  private var now: Nanoseconds = 0

  /// A planner for one run.
  public init(_ impairments: Impairments, seed: UInt64) { self.init(impairments, seed: seed, isLive: false) }

  /// A planner of packets that are sent just now: what leaves is told as it leaves.
  init(_ impairments: Impairments, seed: UInt64, isLive: Bool) {
    self.impairments = impairments
    self.seed = seed
    stages = []
    var leaving: [Egress.Leaving] = []
    var holds = false
    for impairment in impairments.asked {
      switch impairment.stage(seed: seed) {
      case .packets(let stage): stages.append(stage)
      case .holding(let stage):
        stages.append(stage)
        holds = true
      case .leaving(let stage): leaving.append(Egress.Leaving(impairment: type(of: impairment).id, stage: stage))
      }
    }
    needsEgress = isLive || holds || !leaving.isEmpty
    egress = Egress(holds: holds, leaving, isLive: isLive)
  }

  /// Takes the next packet, of which no field is to be changed, and emits the lines that it settles.
  public mutating func plan(_ packet: PlannedPacket, emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    try plan(packet, changing: { _ in FieldChanges() }, decided: { _ in }, emit: emit)
  }

  /// Takes the next packet and emits the lines that it settles: none, one or many. Each comes with the time at which its
  /// packet would be sent unimpaired, as `Schedule` wants it.
  ///
  /// - Parameters:
  ///   - changing: is asked, for a message that is to be changed, which of its fields become what.
  ///   - decided: is told what was decided on this packet by itself, before any line is emitted: its copies and changes
  ///     stay, its due times may still move.
  @inline(__always)
  public mutating func plan(
    _ packet: PlannedPacket, changing: (RequestedChanges) -> FieldChanges, decided: (PlanLine) throws -> Void,
    emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void
  ) rethrows {
    now = max(now, min(packet.time, Planner.latest))
    var packet = packet
    packet.time = now
    var draft = PlanDraft(packet)
    // Not even asked to change an empty array: all share one, and each packet would make a copy of it.
    if packet.isSelected, !stages.isEmpty { decide(packet, &draft) }
    if !draft.wish.isEmpty, draft.line.verdict == .deliver { draft.line.changes = changing(draft.wish) }
    try decided(draft.line)
    guard needsEgress else {
      rates.count(draft.line, sentAt: now, isSelected: packet.isSelected)
      return try emit(draft.line, now)
    }
    egress.admit(packet, draft)
    try emitSettled(emit)
  }

  /// Time has passed without a packet: what is due by then leaves.
  mutating func advance(to time: Nanoseconds, emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    now = max(now, min(time, Planner.latest))
    egress.advance(to: now)
    try emitSettled(emit)
  }

  /// When something leaves, or is let go, next; nil while nothing waits.
  var nextWake: Nanoseconds? { egress.nextWake }

  /// Hands on what has left since the last time, where this planner is live.
  mutating func takeLeft(_ body: (Egress.Left) -> Void) { egress.takeLeft(body) }

  /// Emits the lines that are left. At the end of the run, what is still held back leaves behind the last packet.
  public mutating func finish(emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    egress.finish()
    if needsEgress { try emitSettled(emit) }
  }

  /// The latest time that is told apart: about 146 years.
  private static let latest = Int64.max / 2

  /// All that is decided packet by packet.
  @inline(__always)
  private mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
    for index in stages.indices {
      stages[index].decide(packet, &draft)
      if draft.line.verdict == .drop { return }
    }
  }

  private mutating func emitSettled(_ emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    while let settled = egress.nextSettled() {
      rates.count(settled.line, sentAt: settled.time, isSelected: settled.isSelected)
      try emit(settled.line, settled.time)
    }
  }
}
