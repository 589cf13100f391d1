/// A fingerprint of bytes: FNV-1a with 64 bits (RFC 9923). Unlike Swift's hashes it is the same everywhere. It protects
/// against confusion, not against attacks: other bytes with the same fingerprint are easy to make.
public struct FNV1a: Hashable, Sendable, CustomStringConvertible {
  /// The fingerprint so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The fingerprint of no bytes.
  public init() {}

  /// The fingerprint of text in UTF-8.
  public init(_ text: String) { for byte in text.utf8 { add(byte) } }

  /// Adds a byte.
  public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// Adds bytes.
  public mutating func add(_ bytes: RawSpan) {
    for offset in 0..<bytes.byteCount { add(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)) }
  }

  /// Adds the lowest bytes of a number, least significant first.
  public mutating func add(_ number: UInt64, bytes: Int) {
    for place in 0..<bytes { add(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }

  /// Sixteen hexadecimal digits.
  public var description: String { Hex.text(value, digits: 16) }
}
