/// Random numbers without state: each is a function of the seed, the trial and which of its draws is meant, so that no
/// number hangs on how many were drawn before it. SplitMix64's finaliser (Steele, Lea and Flood 2014, Stafford's
/// variant 13) over the keys, in integer arithmetic: the same on every platform.
public struct KeyedDraws: Hashable, Sendable {
  private let key: UInt64

  /// The numbers of this seed.
  public init(seed: UInt64) { key = KeyedDraws.mix(seed &+ KeyedDraws.golden) }

  /// 64 uniform bits.
  public func bits(trial: Int, draw: UInt64) -> UInt64 {
    let trialKey = KeyedDraws.mix(key &+ UInt64(bitPattern: Int64(trial)) &* KeyedDraws.golden)
    return KeyedDraws.mix(trialKey &+ (draw &+ 1) &* KeyedDraws.golden)
  }

  /// A whole number from 0 up to, but not including, `bound`; 0 when the bound is not positive.
  public func number(below bound: Int64, trial: Int, draw: UInt64) -> Int64 {
    guard bound > 0 else { return 0 }
    return Int64(bits(trial: trial, draw: draw).multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A whole number from −`most` to `most`.
  public func number(within most: Int64, trial: Int, draw: UInt64) -> Int64 {
    number(below: 2 * most + 1, trial: trial, draw: draw) - most
  }

  private static let golden: UInt64 = 0x9e37_79b9_7f4a_7c15

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
