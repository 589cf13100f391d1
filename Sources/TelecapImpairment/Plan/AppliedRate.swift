import TelecapRecording
import TelecapText

/// One row of the account after a run: what was asked for and what came out.
public struct AppliedRate: Hashable, Sendable, CustomStringConvertible {
  /// The impairment's name.
  public var impairment: String
  /// What was asked for, in the impairment's words.
  public var asked: String
  /// The share of packets that is to be expected, 0…1; nil where there is none, as for a delay.
  public var expected: Double?
  /// What came out: a share of packets 0…1; for delay and stall, the mean and the longest delay in seconds.
  public var cameOut: Double
  /// How many packets it did concern.
  public var count: Int
  /// Out of how many it could have.
  public var total: Int
  /// What came out, in words: `4.981% (4981 of 100000)`, `mean 20.013ms`.
  public var words: String

  /// A share of packets: so many of so many.
  public static func share<Kind: Impairment>(
    _ asked: Kind, _ count: Int, of total: Int, expected: Double?
  ) -> AppliedRate {
    let thousandths = total > 0 ? (count * 200_000 / total + 1) / 2 : 0
    return AppliedRate(
      impairment: Kind.name, asked: asked.description, expected: expected,
      cameOut: total > 0 ? Double(count) / Double(total) : 0, count: count, total: total,
      words: "\(DecimalText.text(UInt64(clamping: thousandths), scale: 1000))% (\(count) of \(total))")
  }

  /// A time of the deliveries, such as their mean delay; `figure` says which: `mean`.
  public static func time<Kind: Impairment>(
    _ asked: Kind, _ figure: String, nanoseconds: Nanoseconds, deliveries: Int
  ) -> AppliedRate {
    let seconds = Double(nanoseconds) / 1e9
    return AppliedRate(
      impairment: Kind.name, asked: asked.description, expected: nil, cameOut: seconds, count: deliveries,
      total: deliveries, words: "\(figure) \(Interval.microseconds(Int64(clampingRounded: seconds * 1e6)))")
  }

  /// `loss 5%: 4.981% (4981 of 100000)`, `delay 20ms ± 10ms uniform: mean 20.013ms`, `stall 500ms@5s: longest 500ms`.
  public var description: String { "\(impairment) \(asked): \(words)" }
}

extension AppliedRates {
  /// A row for each impairment that was asked for, in the order in which they are applied. Each share is of the packets
  /// in which it can be seen: loss of the selected packets, rate of those not lost, the others of those delivered.
  public func account(of impairments: Impairments) -> [AppliedRate] {
    impairments.asked.map { $0.account(of: self) }
  }
}
