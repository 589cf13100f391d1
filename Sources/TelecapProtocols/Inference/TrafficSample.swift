import TelecapRecording
import TelecapWire

/// A payload of a protocol that nobody has declared yet.
public struct TrafficSample: Sendable {
  /// The listening side, the host, sent it.
  public var isFromHost: Bool
  /// The sender, as a number that tells it from others.
  public var sender: Int
  /// The time since the first sample, ns.
  public var time: Nanoseconds
  /// The payload.
  public var bytes: [UInt8]

  /// A payload of these bytes.
  public init(isFromHost: Bool, sender: Int, time: Nanoseconds, bytes: [UInt8]) {
    (self.isFromHost, self.sender, self.time, self.bytes) = (isFromHost, sender, time, bytes)
  }

  /// The unsigned number in `size` bytes (1 to 8) from `offset`; nil where the payload ends before.
  func number(at offset: Int, _ size: Int, _ order: ByteOrder) -> UInt64? {
    guard offset >= 0, offset + size <= bytes.count else { return nil }
    let field = bytes[offset..<offset + size]
    return order == .big
      ? field.reduce(0) { $0 << 8 | UInt64($1) } : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [TrafficSample] {
  /// The numbers at one offset; empty where a payload ends before.
  func numbers(at offset: Int, _ size: Int, _ order: ByteOrder) -> [UInt64] {
    let numbers = compactMap { $0.number(at: offset, size, order) }
    return numbers.count == count ? numbers : []
  }

  /// The byte that all have at an offset; nil where they differ, or one ends before.
  func constant(at offset: Int) -> UInt8? {
    guard let first, offset < first.bytes.count else { return nil }
    let byte = first.bytes[offset]
    return allSatisfy { offset < $0.bytes.count && $0.bytes[offset] == byte } ? byte : nil
  }

  /// The size of the shortest payload.
  var minSize: Int { map(\.bytes.count).min() ?? 0 }

  /// The pairs of numbers that one sender sent one after the other.
  func steps(at offset: Int, _ size: Int, _ order: ByteOrder) -> [(before: UInt64, after: UInt64)] {
    let numbers = numbers(at: offset, size, order)
    guard !numbers.isEmpty else { return [] }
    var last: [Int: UInt64] = [:]
    return zip(self, numbers).compactMap { sample, number in
      last.updateValue(number, forKey: sample.sender).map { ($0, number) }
    }
  }
}
