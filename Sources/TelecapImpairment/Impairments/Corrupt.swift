import TelecapRecording

/// netem's `corrupt P`: flips one random bit of the payload, the same in every copy of the packet. An empty payload
/// stays unchanged.
public struct Corrupt: Impairment {
  /// The probability of corruption.
  public var probability: Probability

  /// Corruption with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Parses `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }
}

extension ImpairmentID {
  /// Corruption: a bit of the payload is flipped.
  public static let corrupt = ImpairmentID(2)
}

extension Corrupt {
  /// Its number.
  public static let id = ImpairmentID.corrupt
  /// Its name.
  public static let name = "corrupt"
  /// After loss.
  public static let place = 20
  /// `--corrupt P`.
  public static let options = [
    option("corrupt", value: "p", help: "Flip one random bit of a packet's payload: 1%.", parse: Corrupt.init)
  ]

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .packets(Stage(probability: probability, random: KeyedDraws(seed: seed, impairment: .corrupt)))
  }

  /// The share of delivered packets with a flipped bit.
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
