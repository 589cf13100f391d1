import TelecapRecording

/// A fingerprint of the packets that a plan was made for: FNV-1a with 64 bits
/// (https://datatracker.ietf.org/doc/html/rfc9923) over each packet's time in ns (8 bytes), the length of its payload
/// (4 bytes), both little-endian, and the payload. It guards against running a plan on the wrong capture, not against
/// malice: another capture with the same digest is easily made.
public struct CaptureDigest: Hashable, Sendable, CustomStringConvertible {
  /// The digest so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The digest of no packet.
  public init() {}

  /// Adds the next packet.
  public mutating func add(time: Timestamp, payload: RawSpan) {
    add(UInt64(bitPattern: time.nanoseconds), bytes: 8)
    add(UInt64(truncatingIfNeeded: payload.byteCount), bytes: 4)
    add(payload)
  }

  /// Adds bytes as they are.
  public mutating func add(_ bytes: RawSpan) {
    var hash = value
    for offset in 0..<bytes.byteCount {
      hash = (hash ^ UInt64(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))) &* 0x100_0000_01b3
    }
    value = hash
  }

  private mutating func add(_ number: UInt64, bytes: Int) {
    for place in 0..<bytes { value = (value ^ (number >> UInt64(8 * place) & 0xff)) &* 0x100_0000_01b3 }
  }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
