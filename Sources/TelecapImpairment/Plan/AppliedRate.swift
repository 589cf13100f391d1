import TelecapRecording
import TelecapText

/// A row of the statistics after a run: the requested and the observed rate of an impairment.
public struct AppliedRate: Hashable, Sendable, CustomStringConvertible {
  /// The impairment's name.
  public var impairment: String
  /// The requested rate, in the impairment's canonical text.
  public var asked: String
  /// The expected share of packets, 0…1; nil if there is none, as for a delay.
  public var expected: Double?
  /// The observed value: a share of packets 0…1; for delay and stall, the mean and the maximum delay in seconds.
  public var cameOut: Double
  /// The number of affected packets.
  public var count: Int
  /// The number of packets that it could affect.
  public var total: Int
  /// The observed value as text: `4.981% (4981 of 100000)`, `mean 20.013ms`.
  public var words: String

  /// A share of packets: `count` of `total`.
  public static func share<Kind: Impairment>(
    _ asked: Kind, _ count: Int, of total: Int, expected: Double?
  ) -> AppliedRate {
    let thousandths = total > 0 ? (count * 200_000 / total + 1) / 2 : 0
    return AppliedRate(
      impairment: Kind.name, asked: asked.description, expected: expected,
      cameOut: total > 0 ? Double(count) / Double(total) : 0, count: count, total: total,
      words: "\(DecimalText.text(UInt64(clamping: thousandths), scale: 1000))% (\(count) of \(total))")
  }

  /// A time of the deliveries, such as their mean delay; `figure` is its name: `mean`.
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
  /// A row for each impairment, in the order of application. Each share is of the packets in which it can be observed:
  /// loss of the selected packets, rate of those not lost, the others of those delivered.
  public func account(of impairments: Impairments) -> [AppliedRate] {
    impairments.asked.map { $0.account(of: self) }
  }
}
