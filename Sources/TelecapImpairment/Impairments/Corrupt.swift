import TelecapRecording

/// netem's `corrupt P`: one random bit of the payload is flipped, in every copy of the packet. An empty payload has no bit
/// to flip and stays as it is.
public struct Corrupt: Impairment {
  /// How likely a packet is corrupted.
  public var probability: Probability

  /// Corruption with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Reads `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// A bit of the payload is flipped.
  public static let corrupt = ImpairmentID(2)
}

extension Corrupt {
  /// Its number.
  public static let id = ImpairmentID.corrupt
  /// Its word.
  public static let name = "corrupt"
  /// Behind loss.
  public static let place = 20
  /// `--corrupt P`.
  public static let options = [
    option("corrupt", value: "p", help: "Flip a random bit of packets: 1%.", parse: Corrupt.init)
  ]

  /// Flips bits of this run's choice.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .corrupt)))
  }

  /// The share of the delivered packets of which a bit was flipped.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.corrupted, of: rates.delivered, expected: probability.fraction)
  }

  private struct Stage: PacketStage {
    let probability: Probability
    let random: KeyedDraws

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      guard packet.length > 0, probability.happens(random.bits(item: packet.number, draw: 0)) else { return }
      let bits = min(UInt64(packet.length), 1 << 28) * 8
      draft.line.flips.append(UInt32(random.number(below: bits, item: packet.number, draw: 1)))
    }
  }
}
