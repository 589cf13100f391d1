/// netem's `corrupt P`: one random bit of the payload is flipped, in every copy of the packet. An empty payload has no bit
/// to flip and stays as it is.
public struct Corrupt: Hashable, Sendable, CustomStringConvertible {
  /// How likely a packet is corrupted.
  public var probability: Probability

  /// Corruption with this probability.
  public init(_ probability: Probability) { self.probability = probability }

  /// Reads `1%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) { probability = try Probability(parsing: text) }

  /// `1%`.
  public var description: String { probability.description }

  /// The bit to flip in this packet, counted from the payload's first bit (`PlanLine.flips`); nil for none.
  func flip(packet: Int, length: Int, random: Randomness) -> UInt32? {
    guard length > 0, probability.happens(random.bits(packet: packet, draw: 0)) else { return nil }
    let bits = min(UInt64(length), 1 << 28) * 8
    return UInt32(random.number(below: bits, packet: packet, draw: 1))
  }
}
