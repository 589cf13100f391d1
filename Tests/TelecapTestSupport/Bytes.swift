import Testing

/// The bytes of hexadecimal text that the test itself wrote; white space does not count.
public func hex(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.map { $0.hexDigitValue.map(UInt8.init) }
  let isHex = digits.count.isMultiple(of: 2) && digits.allSatisfy { $0 != nil }
  if !isHex { Issue.record("no hexadecimal text: \(text)", sourceLocation: sourceLocation) }
  return stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
}

/// Messages whose bytes are written down in the documents.
public enum Bytes {
  public static let haptic = hex("54454c4507010000003f0000")
  public static let hello = hex("54454c450101040302014142433132330000")
  public static let ack = hex("54454c4502010000")
  public static let ackTCP = hex("54454c450201000001010000")
  public static let bye = hex("54454c45040104030201")
  public static let config = hex("54454c45090102007b7d")
  public static let beacon = hex("54454c45080150c30800766f6f646f6f5837")
  public static let movement = hex("aa01fd7fff")
  public static let control = hex("bb01000000")

  /// A POSE that stands still: `seq` at 6, the quaternion's w of 1 at 42, all else 0.
  public static func pose(_ seq: UInt16) -> [UInt8] {
    hex("54454c450301") + [UInt8(truncatingIfNeeded: seq), UInt8(truncatingIfNeeded: seq >> 8)]
      + [UInt8](repeating: 0, count: 34) + hex("0000803f")
  }

  /// Messages in their frames of tcp-v1.
  public static func framed(_ messages: [UInt8]...) -> [UInt8] {
    messages.flatMap { [UInt8(truncatingIfNeeded: $0.count), UInt8(truncatingIfNeeded: $0.count >> 8)] + $0 }
  }
}
