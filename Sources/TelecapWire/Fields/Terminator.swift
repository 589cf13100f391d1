import TelecapRecording

/// The byte that ends a text, and the padding after it.
public struct Terminator: Hashable, Sendable {
  /// 0, or a character such as `;`.
  public let byte: UInt8
  /// Zeros follow up to a multiple of so many bytes from the start of the message.
  public let step: Int

  /// The byte as protocol files write it: `0`, `';'`, `0x0d`.
  public var name: String {
    if byte == 0 { return "0" }
    return (32..<127).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "0x" + Hex.text([byte])
  }

  /// A terminator.
  public init(_ byte: UInt8 = 0, paddedTo step: Int = 1) { (self.byte, self.step) = (byte, step) }
}

extension RawSpan {
  /// The first place of a byte within a range, or the end of the range where it is not there, or where no byte ends it.
  func end(of range: Range<Int>, by byte: UInt8?) -> Int {
    guard let byte else { return range.upperBound }
    return range.first { UInt8.read(self, at: $0) == byte } ?? range.upperBound
  }
}
