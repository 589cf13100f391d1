import TelecapRecording
import TelecapText

/// One row of the account after a run: what was asked for and what came out.
public struct AppliedRate: Hashable, Sendable, CustomStringConvertible {
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

  /// `loss 5%: 4.981% (4981 of 100000)`, `delay 20ms ± 10ms uniform: mean 20.013ms`, `stall 500ms@5s: longest 500ms`.
  public var description: String {
    let name = "\(impairment.name) \(asked): "
    switch impairment {
    case .delay, .stall:
      let microseconds = Interval.microseconds(Int64(clampingRounded: cameOut * 1e6))
      return name + (impairment == .delay ? "mean " : "longest ") + microseconds.description
    default:
      let thousandths = total > 0 ? (count * 200_000 / total + 1) / 2 : 0
      return name + "\(DecimalText.text(UInt64(clamping: thousandths), scale: 1000))% (\(count) of \(total))"
    }
  }
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
