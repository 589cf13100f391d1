import TelecapRecording

/// Random numbers without state: each is a function of the seed, the trial and which of its draws is meant, so that no
/// number hangs on how many were drawn before it.
public struct KeyedDraws: Hashable, Sendable {
  private let key: UInt64

  /// The numbers of this seed.
  public init(seed: UInt64) { key = SplitMix64.mixed(seed &+ SplitMix64.step) }

  /// 64 uniform bits.
  public func bits(trial: Int, draw: UInt64) -> UInt64 {
    SplitMix64.bits(key: key, item: trial, draw: draw)
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
}
