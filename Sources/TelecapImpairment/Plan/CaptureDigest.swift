import TelecapRecording

/// A fingerprint of the packets of a plan: `FNV1a` over each packet's time in ns (8 bytes), the length of its payload
/// (4 bytes), both little-endian, and the payload. It detects a plan that was made for another capture.
public struct CaptureDigest: Hashable, Sendable, CustomStringConvertible {
  private var fingerprint = FNV1a()

  /// The digest so far.
  public var value: UInt64 { fingerprint.value }

  /// The digest of no packets.
  public init() {}

  /// Adds the next packet.
  public mutating func add(time: Timestamp, payload: RawSpan) {
    fingerprint.add(UInt64(bitPattern: time.nanoseconds), bytes: 8)
    fingerprint.add(UInt64(truncatingIfNeeded: payload.byteCount), bytes: 4)
    fingerprint.add(payload)
  }

  /// Adds bytes.
  public mutating func add(_ bytes: RawSpan) { fingerprint.add(bytes) }

  /// Sixteen hexadecimal digits.
  public var description: String { fingerprint.description }
}
