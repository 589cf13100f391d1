/// netem's `duplicate P`: the packet is delivered twice; each copy is delayed by its own draw.
public struct Duplicate: Hashable, Sendable, CustomStringConvertible {
  /// How likely a packet is duplicated.
  public var probability: Probability

  /// Duplication with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Reads `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }

  /// Whether this packet is delivered twice.
  func chooses(packet: Int, random: Randomness) -> Bool { probability.happens(random.bits(packet: packet)) }
}
