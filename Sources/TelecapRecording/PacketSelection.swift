/// A set of packet numbers, one bit for each and a word's number for 64 of them: a million packets that follow one another
/// take half a MiB, and one that is far from the others takes no more than they do.
public struct PacketSelection: Hashable, Sendable {
  private var words: [Int: UInt64] = [:]
  /// How many packets are in it.
  public private(set) var count = 0

  /// No packet.
  public init() {}

  /// Whether the packet of this number is in it.
  @inline(__always)
  public func contains(_ number: Int) -> Bool { words[number >> 6].map { $0 >> UInt64(number & 63) & 1 == 1 } ?? false }

  /// Adds a packet's number, counted from 1.
  public mutating func insert(_ number: Int) {
    guard number >= 0, !contains(number) else { return }
    words[number >> 6, default: 0] |= 1 << UInt64(number & 63)
    count += 1
  }
}
