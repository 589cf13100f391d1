import TelecapRecording

/// Converts packets to plan lines. A pure streaming state machine: packets go in by ascending number, lines come out in
/// the same order, one for each packet, as soon as they are settled.
///
/// A packet that is held back delays the lines after it, for at most `PlanDraft.longestHold` of run time.
public struct Planner {
  /// The impairments.
  public let impairments: Impairments
  /// The key of the random streams.
  public let seed: UInt64
  /// The observed rates over the lines emitted so far.
  public private(set) var rates = AppliedRates()

  private var stages: [any PacketStage]
  private var egress: Egress
  /// Whether any decision depends on the order of departure; otherwise lines bypass the egress.
  private let needsEgress: Bool
  private var now: Nanoseconds = 0

  /// A planner for one run.
  public init(_ impairments: Impairments, seed: UInt64) { self.init(impairments, seed: seed, isLive: false) }

  /// A planner of live traffic, which records each departure.
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

  /// Plans the next packet, without changes of fields, and emits the lines that it settles.
  public mutating func plan(_ packet: PlannedPacket, emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    try plan(packet, changing: { _ in FieldChanges() }, decided: { _ in }, emit: emit)
  }

  /// Plans the next packet and emits the lines that it settles: none, one or many. Each comes with the time of
  /// unimpaired sending of its packet, which `Schedule` needs.
  ///
  /// - Parameters:
  ///   - changing: returns the changed fields of a message.
  ///   - decided: receives the decision on this packet itself, before any line is emitted: its copies and changes are
  ///     final, its due times may still change.
  @inline(__always)
  public mutating func plan(
    _ packet: PlannedPacket, changing: (RequestedChanges) -> FieldChanges, decided: (PlanLine) throws -> Void,
    emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void
  ) rethrows {
    now = max(now, min(packet.time, Planner.latest))
    var packet = packet
    packet.time = now
    var draft = PlanDraft(packet)
    // Do not mutate an empty array: all empty arrays share one buffer, and each packet would copy it.
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

  /// Advances time without a packet: copies that are due by then leave.
  mutating func advance(to time: Nanoseconds, emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    now = max(now, min(time, Planner.latest))
    egress.advance(to: now)
    try emitSettled(emit)
  }

  /// The next time at which a copy leaves or is released; nil while nothing waits.
  var nextWake: Nanoseconds? { egress.nextWake }

  /// Removes the copies that have left and passes them to `body`, in a live planner.
  mutating func takeLeft(_ body: (Egress.Left) -> Void) { egress.takeLeft(body) }

  /// Emits the remaining lines. At the end of the run, held copies leave after the last packet.
  public mutating func finish(emit: (PlanLine, _ sentAt: Nanoseconds) throws -> Void) rethrows {
    egress.finish()
    if needsEgress { try emitSettled(emit) }
  }

  /// The latest time that is distinguished: about 146 years.
  private static let latest = Int64.max / 2

  /// Runs the packet stages.
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
