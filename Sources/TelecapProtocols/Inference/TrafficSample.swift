import TelecapRecording
import TelecapWire

/// A payload of a protocol that nobody has declared yet.
public struct TrafficSample: Sendable {
  /// The listening side, the host, sent it.
  public var isFromHost: Bool
  /// The sender, as a number that identifies it.
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
    var number: UInt64 = 0
    for index in 0..<size {
      number = number << 8 | UInt64(bytes[order == .big ? offset + index : offset + size - 1 - index])
    }
    return number
  }
}

extension [TrafficSample] {
  /// The numbers at one offset; empty where a payload ends before.
  func numbers(at offset: Int, _ size: Int, _ order: ByteOrder) -> [UInt64] {
    var numbers: [UInt64] = []
    numbers.reserveCapacity(count)
    for sample in self {
      guard let number = sample.number(at: offset, size, order) else { return [] }
      numbers.append(number)
    }
    return numbers
  }

  /// The byte that all have at an offset; nil where they differ, or one ends before.
  func constant(at offset: Int) -> UInt8? {
    guard let first, offset < first.bytes.count else { return nil }
    let byte = first.bytes[offset]
    return allSatisfy { offset < $0.bytes.count && $0.bytes[offset] == byte } ? byte : nil
  }

  /// The number of different bytes at an offset that all payloads have.
  func distinct(at offset: Int) -> Int { Set(map { $0.bytes[offset] }).count }

  /// The size of the shortest payload.
  var minSize: Int { map(\.bytes.count).min() ?? 0 }
}
