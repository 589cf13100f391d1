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
