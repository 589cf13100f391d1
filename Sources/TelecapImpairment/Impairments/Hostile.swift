import TelecapRecording

/// `hostile P`: sets one field of the message to a boundary or invalid value from its declaration: range borders and
/// values just outside, ±0, a subnormal, NaN, ±∞, the maximum, reserved bits, unknown codes, neighbouring sequence
/// numbers, a wrong length or checksum (semantics.md, Impairments). This type chooses the messages and the random
/// number; the declaration has the values.
public struct Hostile: Impairment {
  /// The probability of a change.
  public var probability: Probability

  /// Changes with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Parses `10%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `10%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// Fuzzing: a field of the message has a boundary or invalid value.
  public static let hostile = ImpairmentID(8)
}

extension Hostile {
  /// Its number.
  public static let id = ImpairmentID.hostile
  /// Its name.
  public static let name = "hostile"
  /// After `SetFields`.
  public static let place = 14
  /// `--hostile P`.
  public static let options = [
    option(
      "hostile", value: "p", help: "Fuzzing: set one field of a message to a boundary or invalid value: 10%.",
      parse: Hostile.init)
  ]

  /// Its purpose.
  public static let changesFields = true

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .hostile)))
  }

  /// The share of delivered packets with a changed field.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.hostile, of: rates.delivered, expected: probability.fraction)
  }

  private struct Stage: PacketStage {
    let probability: Probability
    let random: KeyedDraws

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      guard probability.happens(random.bits(item: packet.number, draw: 0)) else { return }
      draft.wish.hostile = random.bits(item: packet.number, draw: 1)
    }
  }
}
