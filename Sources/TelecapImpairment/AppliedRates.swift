/// What a run did, counted line by line, to be printed beside what was asked for.
public struct AppliedRates: Hashable, Sendable {
  /// Packets, selected or not.
  public private(set) var packets = 0
  /// Packets that the impairments applied to.
  public private(set) var selected = 0
  /// Packets dropped by loss.
  public private(set) var lost = 0
  /// Packets dropped because the link's queue was full.
  public private(set) var tailDropped = 0
  /// Packets dropped by a person who edited the plan.
  public private(set) var droppedByHand = 0
  /// Packets of which a bit was flipped.
  public private(set) var corrupted = 0
  /// Packets delivered more than once.
  public private(set) var duplicated = 0
  /// Packets held back behind later ones.
  public private(set) var reordered = 0
  /// Copies of selected packets that were delivered.
  public private(set) var deliveries = 0
  /// The sum of their delays behind the time of sending, ns; saturates.
  public private(set) var delaySum: Int64 = 0
  /// The longest of these delays, ns.
  public private(set) var longestDelay: Int64 = 0

  /// Nothing counted yet.
  public init() {}

  /// Counts one line of a packet that would have been sent at `time` (ns from the start) unimpaired.
  @inline(__always)
  public mutating func count(_ line: PlanLine, sentAt time: Int64, isSelected: Bool) {
    packets += 1
    guard isSelected else { return }
    selected += 1
    if line.verdict == .drop { return countDrop(by: line.by) }
    if !line.flips.isEmpty { corrupted += 1 }
    if line.due.count > 1 { duplicated += 1 }
    if line.by == .reorder { reordered += 1 }
    deliveries += line.due.count
    for index in 0..<line.due.count {
      let (delay, underflow) = line.due[index].subtractingReportingOverflow(time)
      let counted = underflow ? .max : max(0, delay)
      longestDelay = max(longestDelay, counted)
      let (sum, overflow) = delaySum.addingReportingOverflow(counted)
      delaySum = overflow ? .max : sum
    }
  }

  private mutating func countDrop(by impairment: Impairment?) {
    switch impairment {
    case .loss: lost += 1
    case .rate: tailDropped += 1
    default: droppedByHand += 1
    }
  }

  /// The mean delay of the deliveries of selected packets, ns; 0 when there was none.
  public var meanDelay: Int64 { deliveries > 0 ? delaySum / Int64(deliveries) : 0 }
}

/// One row of the account after a run: what was asked for and what came out.
public struct AppliedRate: Hashable, Sendable {
  /// The impairment.
  public var impairment: Impairment
  /// What was asked for, in the canonical form of its option.
  public var asked: String
  /// The share of packets that is to be expected, 0…1; nil where there is none, as for a delay.
  public var expected: Double?
  /// What came out: a share of packets 0…1; for delay and stall, the mean and the longest delay in seconds.
  public var cameOut: Double
  /// How many packets it did concern.
  public var count: Int
  /// Out of how many it could have.
  public var total: Int
}

extension AppliedRates {
  /// A row for each impairment that was asked for, in the order in which they are applied. Each share is of the packets
  /// in which it can be seen: loss of the selected packets, rate of those not lost, the others of those delivered.
  public func account(of impairments: Impairments) -> [AppliedRate] {
    var rows: [AppliedRate] = []
    func row(
      _ impairment: Impairment, _ asked: (any CustomStringConvertible)?, _ expected: Double?, _ count: Int, _ total: Int
    ) {
      guard let asked else { return }
      let share = total > 0 ? Double(count) / Double(total) : 0
      rows.append(
        AppliedRate(
          impairment: impairment, asked: asked.description, expected: expected, cameOut: share, count: count,
          total: total))
    }
    let delivered = selected - lost - tailDropped - droppedByHand
    row(.loss, impairments.loss, impairments.loss?.expectedRate, lost, selected)
    row(.corrupt, impairments.corrupt, impairments.corrupt?.probability.fraction, corrupted, delivered)
    row(.duplicate, impairments.duplicate, impairments.duplicate?.probability.fraction, duplicated, delivered)
    if let delay = impairments.delay { rows.append(delayRow(.delay, delay, Double(meanDelay) / 1e9)) }
    row(.reorder, impairments.reorder, impairments.reorder?.probability.fraction, reordered, delivered)
    row(.rate, impairments.rate, nil, tailDropped, selected - lost)
    if let stall = impairments.stall { rows.append(delayRow(.stall, stall, Double(longestDelay) / 1e9)) }
    return rows
  }

  private func delayRow(_ impairment: Impairment, _ asked: any CustomStringConvertible, _ seconds: Double)
    -> AppliedRate
  {
    AppliedRate(
      impairment: impairment, asked: asked.description, expected: nil, cameOut: seconds, count: deliveries,
      total: deliveries)
  }
}
