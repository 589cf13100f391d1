import TelecapRecording

/// `reorder P [gap N]`: holds a chosen packet back until N later packets of the same flow have left, and sends it
/// directly after the N-th. (netem's reorder sends the chosen packet early instead; ours has an effect without a delay
/// too.)
public struct Reorder: Impairment {
  /// The probability that a packet is held back.
  public let probability: Probability
  /// N: the number of packets that overtake it, 1…65,535.
  public let gap: Int

  /// Reordering with this probability; the gap is clamped to 1…65,535.
  public init(_ probability: Probability, gap: Int = 1) {
    self.probability = probability
    self.gap = min(max(1, gap), Reorder.gapLimit)
  }

  static let gapLimit = 65_535
}

extension Reorder {
  /// `5%`, or `5%,3` with a gap other than 1.
  public var description: String { gap == 1 ? probability.description : "\(probability),\(gap)" }

  /// Parses `5%`, `5%,3` or `5%,gap 3`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let expected = "a probability and perhaps how many packets overtake, such as 5% or 5%,3"
    let parts = text.commaSeparated
    if parts.count > 2 { throw ImpairmentSyntaxError(text, "has \(parts.count) values", expected: expected) }
    let probability = try Probability(parsing: parts[0])
    guard parts.count == 2 else {
      self.init(probability)
      return
    }
    let word = parts[1].hasPrefix("gap ") ? parts[1].dropFirst(4).trimmed : parts[1]
    guard let gap = Int(word), (1...Reorder.gapLimit).contains(gap) else {
      throw ImpairmentSyntaxError(parts[1], "is not a gap", expected: "a whole number from 1 to \(Reorder.gapLimit)")
    }
    self.init(probability, gap: gap)
  }
}

extension ImpairmentID {
  /// Reordering: the packet arrives after packets that were sent later.
  public static let reorder = ImpairmentID(5)
}

extension AppliedRates {
  /// The number of held packets.
  public var reordered: Int { delivered(by: .reorder) }
}

extension Reorder {
  /// Its number.
  public static let id = ImpairmentID.reorder
  /// Its name.
  public static let name = "reorder"
  /// After delay.
  public static let place = 50
  /// `--reorder P[,N]`.
  public static let options = [
    option(
      "reorder", value: "p,gap",
      help: "Send packets after the next 1 or N of their flow: 5% or 5%,3 (netem sends them early instead).",
      parse: Reorder.init)
  ]

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    .holding(Stage(reorder: self, random: KeyedDraws(seed: seed, impairment: .reorder)))
  }

  /// The share of delivered packets that were held back.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.reordered, of: rates.delivered, expected: probability.fraction)
  }

  private struct Stage: PacketStage {
    let reorder: Reorder
    let random: KeyedDraws

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      guard reorder.probability.happens(random.bits(item: packet.number)) else { return }
      draft.heldBehind = reorder.gap
      draft.line.by = .reorder
    }
  }
}
