import TelecapRecording

/// The observed effects of a run, counted line by line, for comparison with the requested rates.
public struct AppliedRates: Hashable, Sendable {
  /// Packets, selected or not.
  public private(set) var packets = 0
  /// Packets that the impairments applied to.
  public private(set) var selected = 0
  /// Packets that the impairments applied to and that were delivered at least once.
  public private(set) var delivered = 0
  /// Packets that the user dropped by editing the plan.
  public private(set) var droppedByHand = 0
  /// Packets with a flipped bit.
  public private(set) var corrupted = 0
  /// Packets with a field set to a boundary or invalid value.
  public private(set) var hostile = 0
  /// Packets with a field set to a value that the user chose.
  public private(set) var set = 0
  /// The number of times that each field was set, by its number.
  private var timesSet: [Int] = []
  /// Packets delivered more than once.
  public private(set) var duplicated = 0
  /// Delivered copies of selected packets.
  public private(set) var deliveries = 0
  /// The sum of the delays of these copies relative to unimpaired sending, ns; saturates.
  private var delaySumNanoseconds: Nanoseconds = 0
  /// The maximum delay.
  public private(set) var longestDelayNanoseconds: Nanoseconds = 0
  /// The numbers of packets that each impairment dropped, and of delivered ones with its mark, by its number.
  private var drops: [Int] = []
  private var marks: [Int] = []

  /// Without counts.
  public init() {}

  /// Counts one line of a packet that would be sent at `time` (ns from the start) unimpaired.
  @inline(__always)
  public mutating func count(_ line: PlanLine, sentAt time: Nanoseconds, isSelected: Bool) {
    packets += 1
    guard isSelected else { return }
    selected += 1
    if line.verdict == .drop { return countDrop(by: line.by) }
    delivered += 1
    if !line.flips.isEmpty { corrupted += 1 }
    if !line.changes.isEmpty { count(line.changes) }
    if line.due.count > 1 { duplicated += 1 }
    if let impairment = line.by { AppliedRates.count(impairment, in: &marks) }
    deliveries += line.due.count
    for index in 0..<line.due.count {
      let (delay, underflow) = line.due[index].subtractingReportingOverflow(time)
      let counted = underflow ? .max : max(0, delay)
      longestDelayNanoseconds = max(longestDelayNanoseconds, counted)
      let (sum, overflow) = delaySumNanoseconds.addingReportingOverflow(counted)
      delaySumNanoseconds = overflow ? .max : sum
    }
  }

  /// The number of packets dropped by this impairment.
  public func dropped(by impairment: ImpairmentID) -> Int { AppliedRates.number(of: impairment, in: drops) }

  /// The number of packets delivered with this impairment's mark (`PlanLine.by`).
  public func delivered(by impairment: ImpairmentID) -> Int { AppliedRates.number(of: impairment, in: marks) }

  /// The mean delay of the deliveries of selected packets; 0 without deliveries.
  public var meanDelayNanoseconds: Int64 { deliveries > 0 ? delaySumNanoseconds / Int64(deliveries) : 0 }

  /// The number of times that `SetFields` changed this field.
  public func timesSet(_ field: UInt16) -> Int {
    timesSet.indices.contains(Int(field)) ? timesSet[Int(field)] : 0
  }

  @inline(never)
  private mutating func count(_ changes: FieldChanges) {
    if changes.contains(where: \.isHostile) { hostile += 1 }
    if changes.contains(where: { !$0.isHostile }) { set += 1 }
    for change in changes where !change.isHostile {
      while timesSet.count <= Int(change.field) { timesSet.append(0) }
      timesSet[Int(change.field)] += 1
    }
  }

  private mutating func countDrop(by impairment: ImpairmentID?) {
    guard let impairment else {
      droppedByHand += 1
      return
    }
    AppliedRates.count(impairment, in: &drops)
  }

  private static func count(_ impairment: ImpairmentID, in counts: inout [Int]) {
    while counts.count <= Int(impairment.number) { counts.append(0) }
    counts[Int(impairment.number)] += 1
  }

  private static func number(of impairment: ImpairmentID, in counts: [Int]) -> Int {
    counts.indices.contains(Int(impairment.number)) ? counts[Int(impairment.number)] : 0
  }
}
