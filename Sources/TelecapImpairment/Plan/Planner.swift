/// Turns packets into plan lines. A pure, streaming machine: packets go in by ascending number, lines come out in the same
/// order, one for each packet, as soon as all that matters for them is known.
///
/// A packet that reorder holds back keeps the lines behind it waiting, for at most `Reorder.longestHold` of run time.
public struct Planner {
  /// What is asked for.
  public let impairments: Impairments
  /// What the random streams are keyed by.
  public let seed: UInt64
  /// What came out, over the lines emitted so far.
  public private(set) var rates = AppliedRates()

  private var loss: Loss.Process?
  private var delay: Delay.Process?
  private let corruption: Randomness
  private let duplication: Randomness
  private let reordering: Randomness
  private var egress: Egress?
  private var now: Int64 = 0

  /// A planner for one run.
  public init(_ impairments: Impairments, seed: UInt64) {
    self.impairments = impairments
    self.seed = seed
    loss = impairments.loss.map { Loss.Process($0, seed: seed) }
    delay = impairments.delay.map { Delay.Process($0, seed: seed) }
    corruption = Randomness(seed: seed, impairment: .corrupt)
    duplication = Randomness(seed: seed, impairment: .duplicate)
    reordering = Randomness(seed: seed, impairment: .reorder)
    egress = impairments.needsEgress ? Egress(impairments) : nil
  }

  /// Takes the next packet and emits the lines that it settles: none, one or many. Each comes with the time at which its
  /// packet would be sent unimpaired, as `Schedule` wants it.
  public mutating func plan(_ packet: PlannedPacket, emit: (PlanLine, _ sentAt: Int64) throws -> Void) rethrows {
    now = max(now, min(packet.time, Planner.latest))
    let line = decide(packet)
    guard egress != nil else {
      rates.count(line, sentAt: now, isSelected: packet.isSelected)
      return try emit(line, now)
    }
    let isHeld =
      packet.isSelected
      && impairments.reorder?.chooses(packet: packet.number, random: reordering) ?? false
    egress?.admit(line, packet, at: now, isHeld: isHeld)
    try emitSettled(emit)
  }

  /// Emits the lines that are left. At the end of the run, what is still held back leaves behind the last packet.
  public mutating func finish(emit: (PlanLine, _ sentAt: Int64) throws -> Void) rethrows {
    egress?.finish()
    try emitSettled(emit)
  }

  /// The latest time that is told apart: about 146 years.
  private static let latest = Int64.max / 2

  /// All that is decided packet by packet: loss, corrupt, duplicate, delay.
  private mutating func decide(_ packet: PlannedPacket) -> PlanLine {
    guard packet.isSelected else { return .deliver(packet.number, due: Few(now)) }
    if loss?.drops(packet: packet.number) ?? false { return .drop(packet.number, by: .loss) }
    var line = PlanLine.deliver(packet.number, due: [])
    if let flip = impairments.corrupt?.flip(packet: packet.number, length: packet.length, random: corruption) {
      line.flips = Few(flip)
    }
    let isTwice = impairments.duplicate?.chooses(packet: packet.number, random: duplication) ?? false
    let copies = isTwice ? 2 : 1
    line.due = delay?.due(packet, at: now, copies: copies) ?? (isTwice ? Few(now, now) : Few(now))
    return line
  }

  private mutating func emitSettled(_ emit: (PlanLine, _ sentAt: Int64) throws -> Void) rethrows {
    while let settled = egress?.nextSettled() {
      rates.count(settled.line, sentAt: settled.time, isSelected: settled.isSelected)
      try emit(settled.line, settled.time)
    }
  }
}
