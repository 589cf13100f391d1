import TelecapRecording

/// A form of text that a protocol names, with its characters and length.
public struct TextForm: Hashable, Sendable {
  /// Its description: `six of A–Z 0–9`.
  public let words: String
  /// The rule that other text breaks.
  public let rule: Rule
  /// The pattern of its bytes.
  public let pattern: Pattern

  /// The allowed bytes.
  public enum Pattern: Hashable, Sendable {
    /// So many, each in one of these ranges; NULs at the end of text of a fixed size are padding where `isPadded`, else they count.
    case characters([ClosedRange<UInt8>], count: ClosedRange<Int>, isPadded: Bool = false)
    /// A JSON object in UTF-8 (RFC 8259).
    case jsonObject
    /// Always these bytes, with the zeros that pad the text.
    case constant([UInt8])
  }

  /// A form.
  public init(_ words: String, _ rule: Rule, _ pattern: Pattern) {
    self.words = words
    self.rule = rule
    self.pattern = pattern
  }

  /// A JSON object in UTF-8.
  public static func jsonObject(_ rule: Rule) -> TextForm { TextForm("a JSON object", rule, .jsonObject) }

  /// Text that is always the same, with the zeros that pad it.
  public static func constant(_ bytes: [UInt8], _ rule: Rule) -> TextForm {
    TextForm("\"\(FieldRule.letters(bytes))\"\(bytes.last == 0 ? " and zeros" : "")", rule, .constant(bytes))
  }

  /// Whether the bytes have the form; of text of a fixed size with their padding.
  public func holds(_ bytes: RawSpan) -> Bool {
    switch pattern {
    case .jsonObject: JSONSyntax.isObject(bytes, 0..<bytes.byteCount)
    case .characters(let ranges, let count, let isPadded):
      holds(bytes.extracting(0..<(isPadded ? TextForm.end(of: bytes) : bytes.byteCount)), ranges, count)
    case .constant(let right): bytes.byteCount == right.count && bytes.begins(with: right)
    }
  }

  private func holds(_ bytes: RawSpan, _ ranges: [ClosedRange<UInt8>], _ count: ClosedRange<Int>) -> Bool {
    count.contains(bytes.byteCount)
      && (0..<bytes.byteCount).allSatisfy { place in
        UInt8.read(bytes, at: place).map { byte in ranges.contains { $0.contains(byte) } } ?? false
      }
  }

  /// The end of text without the NULs that pad it.
  private static func end(of bytes: RawSpan) -> Int {
    var end = bytes.byteCount
    while end > 0, UInt8.read(bytes, at: end - 1) == 0 { end -= 1 }
    return end
  }
}

/// The rule for a field's value; a value that breaks it is a finding, never an error of decoding.
public enum FieldRule: Hashable, Sendable {
  /// Every bit pattern is right.
  case any
  /// Always this number; of a few bytes of text, those bytes in wire order, the first one lowest.
  case equal(UInt64)
  /// Reserved: 0.
  case reserved
  /// Only these bits may be set; the others are reserved.
  case bits(UInt64)
  /// A number in this range.
  case range(ClosedRange<Double>)
  /// A number that is neither infinite nor NaN.
  case finite
  /// One of these codes; others are unknown.
  case codes([Code])
  /// Text in a form of the protocol's own.
  case form(TextForm)
}

/// A number with a name, such as a status.
public struct Code: Hashable, Sendable {
  /// The number on the wire.
  public let value: UInt64
  /// Its name in the documents.
  public let name: String

  /// The code `name`, written `value`.
  public init(_ value: UInt64, _ name: String) {
    self.value = value
    self.name = name
  }
}

extension FieldRule: CustomStringConvertible {
  /// The rule in words, as the reference prints it; empty for `any`.
  public var description: String {
    switch self {
    case .any: ""
    case .equal(let value): "= \(value)"
    case .reserved: "= 0"
    case .bits(let mask): "only bits 0x\(String(mask, radix: 16))"
    case .range(let range): "\(FieldRule.text(range.lowerBound))…\(FieldRule.text(range.upperBound))"
    case .finite: "finite"
    case .codes(let codes): codes.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
    case .form(let form): form.words
    }
  }

  /// Bytes as text, the lowest first; what is no printable character is a dot.
  public static func letters(_ bits: UInt64) -> String {
    letters((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
  }

  /// Bytes as text, without zeros at the end; what is no printable character is a dot.
  static func letters(_ bytes: [UInt8]) -> String {
    let end = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
    return String(decoding: bytes[..<end].map { (32..<127).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
  }

  /// A bound without a needless `.0`.
  static func text(_ bound: Double) -> String {
    let whole = Int64(clampingRounded: bound)
    return Double(whole) == bound ? "\(whole)" : "\(bound)"
  }
}
