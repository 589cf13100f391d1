/// Random numbers without state: each is a function of the seed, the stream, the item (a packet, a trial) and the index
/// of the item's draw, so that no number depends on how many were drawn before it.
///
/// The function, in arithmetic modulo 2⁶⁴, where mix is the finaliser of `SplitMix64` and φ = 0x9E3779B97F4A7C15:
///
///     key    = mix(seed + φ), or mix(mix(seed + φ) + stream · φ)
///     number = mix(mix(key + item · φ) + (draw + 1) · φ)
public struct KeyedDraws: Hashable, Sendable {
  @usableFromInline let key: UInt64

  /// The numbers of a seed.
  public init(seed: UInt64) { key = SplitMix64.mixed(seed &+ SplitMix64.step) }

  /// The numbers of one of the streams of a seed.
  public init(seed: UInt64, stream: UInt64) {
    key = SplitMix64.mixed(KeyedDraws(seed: seed).key &+ stream &* SplitMix64.step)
  }

  /// 64 uniform bits: the number of this draw (0, 1, 2 …) for this item.
  @inlinable
  public func bits(item: Int, draw: UInt64 = 0) -> UInt64 {
    SplitMix64.mixed(
      SplitMix64.mixed(key &+ UInt64(bitPattern: Int64(item)) &* SplitMix64.step) &+ (draw &+ 1) &* SplitMix64.step)
  }

  /// A number from 0 up to, but not including, `bound`; 0 if the bound is not positive. It is the high word of a
  /// product, so the bias is below bound / 2⁶⁴.
  @inlinable
  public func number<Number: FixedWidthInteger>(below bound: Number, item: Int, draw: UInt64 = 0) -> Number {
    guard bound > 0 else { return 0 }
    return Number(bits(item: item, draw: draw).multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number from −`maximum` to `maximum`, which is at most half of Int64.max.
  public func number(within maximum: Int64, item: Int, draw: UInt64) -> Int64 {
    number(below: 2 * maximum + 1, item: item, draw: draw) - maximum
  }
}
