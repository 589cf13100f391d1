import TelecapRecording

/// netem's `duplicate P`: the packet is delivered twice; each copy is delayed by its own draw.
public struct Duplicate: Impairment {
  /// How likely a packet is duplicated.
  public var probability: Probability

  /// Duplication with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Reads `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// The packet arrives twice.
  public static let duplicate = ImpairmentID(3)
}

extension Duplicate {
  /// Its number.
  public static let id = ImpairmentID.duplicate
  /// Its word.
  public static let name = "duplicate"
  /// Behind corrupt, so that both copies are alike; before delay, so that each has its own.
  public static let place = 30
  /// `--duplicate P`.
  public static let options = [
    option("duplicate", value: "p", help: "Deliver packets twice: 1%.", parse: Duplicate.init)
  ]

  /// Chooses the packets of this run.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .duplicate)))
  }

  /// The share of the delivered packets that were delivered more than once.
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
