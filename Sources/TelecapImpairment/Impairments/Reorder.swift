/// `reorder P [gap N]`: a chosen packet is held back until N later packets of the same flow have gone, and leaves right
/// behind the N-th. (netem's own reorder sends the chosen packet early instead; ours needs no delay to be seen.)
public struct Reorder: Hashable, Sendable {
  /// How likely a packet is held back.
  public let probability: Probability
  /// N: how many packets overtake it, 1…65,535.
  public let gap: Int

  /// Reordering with this probability; the gap is held between 1 and 65,535.
  public init(_ probability: Probability, gap: Int = 1) {
    self.probability = probability
    self.gap = min(max(1, gap), Reorder.gapLimit)
  }

  static let gapLimit = 65_535

  /// No packet is held longer than this, in run time, so that memory stays bounded when its flow falls silent: 10 s.
  public static let longestHold = Interval.seconds(10)

  /// Whether this packet is held back.
  func chooses(packet: Int, random: Randomness) -> Bool { probability.happens(random.bits(packet: packet)) }
}

extension Reorder: CustomStringConvertible {
  /// `5%`, or `5%,3` with a gap other than 1.
  public var description: String { gap == 1 ? probability.description : "\(probability),\(gap)" }

  /// Reads `5%`, `5%,3` or `5%,gap 3`.
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
