import TelecapRecording

/// netem's `duplicate P`: delivers the packet twice; each copy has its own delay.
public struct Duplicate: Impairment {
  /// The probability of duplication.
  public var probability: Probability

  /// Duplication with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Parses `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// Duplication: the packet arrives twice.
  public static let duplicate = ImpairmentID(3)
}

extension Duplicate {
  /// Its number.
  public static let id = ImpairmentID.duplicate
  /// Its name.
  public static let name = "duplicate"
  /// After corrupt, so that both copies are equal; before delay, so that each has its own.
  public static let place = 30
  /// `--duplicate P`.
  public static let options = [
    option("duplicate", value: "p", help: "Deliver packets twice: 1%.", parse: Duplicate.init)
  ]

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .duplicate)))
  }

  /// The share of delivered packets that were delivered more than once.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.duplicated, of: rates.delivered, expected: probability.fraction)
  }

  private struct Stage: PacketStage {
    let probability: Probability
    let random: KeyedDraws

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      guard probability.happens(random.bits(item: packet.number)), let due = draft.line.due.first else { return }
      draft.line.due.append(due)
    }
  }
}
