/// Random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators, 2014, with Stafford's variant 13 as its finaliser), in integer arithmetic modulo 2⁶⁴. They are a
/// sequence from a seed; `KeyedDraws` has no state.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// The numbers of this seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 uniform bits.
  public mutating func next() -> UInt64 {
    state &+= SplitMix64.step
    return SplitMix64.mixed(state)
  }

  /// A number from 0 up to, but not including, `bound`; 0 if the bound is not positive.
  public mutating func number(below bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(1, bound))) }

  /// The increment of the state for each number: 2⁶⁴ divided by the golden ratio.
  @inlinable
  public static var step: UInt64 { 0x9e37_79b9_7f4a_7c15 }

  /// The finaliser: every bit of `value` reaches every bit of the result.
  @inlinable
  public static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
