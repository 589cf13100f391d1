/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded, the same everywhere.
public struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of this seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// So many random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// Random text of these letters.
  public mutating func string(of alphabet: String, _ count: ClosedRange<Int>) -> String {
    let letters = Array(alphabet)
    return String((0..<Int.random(in: count, using: &self)).map { _ in letters.randomElement(using: &self) ?? " " })
  }
}
