import TelecapRecording

/// The random stream of one impairment. It has no state: a number is a function of the seed, the impairment, the packet
/// and which of its draws is meant, so no decision depends on how many were made before it.
///
/// The function, in arithmetic modulo 2⁶⁴, where mix is the finaliser of `SplitMix64` and φ = 0x9E3779B97F4A7C15:
///
///     key    = mix(mix(seed + φ) + impairment · φ)
///     number = mix(mix(key + packet · φ) + (draw + 1) · φ)
public struct Randomness: Hashable, Sendable {
  private let key: UInt64

  /// The stream of `impairment` in a run with this seed.
  public init(seed: UInt64, impairment: ImpairmentID) {
    let seeded = SplitMix64.mixed(seed &+ SplitMix64.step)
    key = SplitMix64.mixed(seeded &+ UInt64(impairment.number) &* SplitMix64.step)
  }

  /// 64 uniform bits: the number of this draw (0, 1, 2 …) for this packet.
  @inline(__always)
  public func bits(packet: Int, draw: UInt64 = 0) -> UInt64 {
    SplitMix64.bits(key: key, item: packet, draw: draw)
  }

  /// A number from 0 up to, but not including, `bound`; 0 when the bound is 0. The high word of a product, so that the
  /// bias is below bound / 2⁶⁴.
  @inline(__always)
  public func number(below bound: UInt64, packet: Int, draw: UInt64 = 0) -> UInt64 {
    bits(packet: packet, draw: draw).multipliedFullWidth(by: bound).high
  }
}
