/// The random stream of one impairment. It has no state: a number is a function of the seed, the impairment, the packet
/// and which of its draws is meant, so no decision depends on how many were made before it.
///
/// The function, in arithmetic modulo 2⁶⁴, where mix is the finaliser of SplitMix64 (Steele, Lea and Flood, Fast
/// splittable pseudorandom number generators, 2014, with Stafford's variant 13) and φ = 0x9E3779B97F4A7C15:
///
///     key    = mix(mix(seed + φ) + impairment · φ)
///     number = mix(mix(key + packet · φ) + (draw + 1) · φ)
public struct Randomness: Hashable, Sendable {
  private let key: UInt64

  /// The stream of `impairment` in a run with this seed.
  public init(seed: UInt64, impairment: Impairment) {
    let seeded = Randomness.mix(seed &+ Randomness.golden)
    key = Randomness.mix(seeded &+ UInt64(impairment.rawValue) &* Randomness.golden)
  }

  /// 64 uniform bits: the number of this draw (0, 1, 2 …) for this packet.
  @inline(__always)
  public func bits(packet: Int, draw: UInt64 = 0) -> UInt64 {
    let packetKey = Randomness.mix(key &+ UInt64(bitPattern: Int64(packet)) &* Randomness.golden)
    return Randomness.mix(packetKey &+ (draw &+ 1) &* Randomness.golden)
  }

  /// A number from 0 up to, but not including, `bound`; 0 when the bound is 0. The high word of a product, so that the
  /// bias is below bound / 2⁶⁴.
  @inline(__always)
  public func number(below bound: UInt64, packet: Int, draw: UInt64 = 0) -> UInt64 {
    bits(packet: packet, draw: draw).multipliedFullWidth(by: bound).high
  }

  private static let golden: UInt64 = 0x9e37_79b9_7f4a_7c15

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
