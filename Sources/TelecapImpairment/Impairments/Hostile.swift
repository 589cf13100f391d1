import TelecapRecording

/// `hostile P`: one field of the message becomes a value that its table makes interesting: its borders and what lies just beyond,
/// ±0, a subnormal, NaN, ±∞, the largest, reserved bits, unknown codes, neighbours in sequence, a wrong length or checksum
/// (semantics.md, Impairments). It says which messages and by which draw; the table says what.
public struct Hostile: Impairment {
  /// How likely a message is changed.
  public var probability: Probability

  /// Changes with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Reads `10%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `10%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// A field of the message becomes a value that is worth trying.
  public static let hostile = ImpairmentID(8)
}

extension Hostile {
  /// Its number.
  public static let id = ImpairmentID.hostile
  /// Its word.
  public static let name = "hostile"
  /// Behind what is set.
  public static let place = 14
  /// `--hostile P`.
  public static let options = [
    option("hostile", value: "p", help: "Make one field a borderline or wrong value: 10%.", parse: Hostile.init)
  ]

  /// Draws for this run.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .hostile)))
  }

  /// The share of the delivered packets in which a field was changed.
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
