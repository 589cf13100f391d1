/// A set of packet numbers, one bit for each: a million packets are 128 KiB.
public struct PacketSelection: Hashable, Sendable {
  private var words: [UInt64] = []
  /// How many packets are in it.
  public private(set) var count = 0

  /// No packet.
  public init() {}

  /// Whether the packet of this number is in it.
  @inline(__always)
  public func contains(_ number: Int) -> Bool {
    guard number >= 0, number >> 6 < words.count else { return false }
    return words[number >> 6] >> UInt64(number & 63) & 1 == 1
  }

  /// Adds a packet's number, counted from 1.
  public mutating func insert(_ number: Int) {
    guard number >= 0, !contains(number) else { return }
    while number >> 6 >= words.count { words.append(0) }
    words[number >> 6] |= 1 << UInt64(number & 63)
    count += 1
  }
}
