/// Reads the tokens of JSON (RFC 8259) in UTF-8 one by one, for the scanner of whole texts (`JSONScanner`), and for
/// parsers that know the expected type. Every function reads at `at` and moves it past the token; nothing is allocated.
public enum JSONTokens {
  /// The byte at `at`; nil at the end.
  @inlinable
  public static func peek(_ text: RawSpan, _ at: Int) -> UInt8? {
    guard at >= 0, at < text.byteCount else { return nil }
    return text.unsafeLoadUnaligned(fromByteOffset: at, as: UInt8.self)
  }

  /// Skips white space.
  @inlinable
  public static func skipSpace(_ text: RawSpan, _ at: inout Int) {
    while let byte = peek(text, at), byte == 32 || byte == 9 || byte == 10 || byte == 13 { at += 1 }
  }

  /// Skips this character; false without a move if there is another one.
  @inlinable
  public static func take(_ character: Unicode.Scalar, _ text: RawSpan, _ at: inout Int) -> Bool {
    guard peek(text, at) == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  /// Reads `true`, `false`, `null` or another expected word.
  public static func word(_ word: StaticString, _ text: RawSpan, _ at: inout Int) throws(JSONProblem) {
    let start = at
    for index in 0..<word.utf8CodeUnitCount where peek(text, start + index) != word.utf8Start[index] {
      throw JSONProblem(offset: start, reason: .value)
    }
    at += word.utf8CodeUnitCount
  }

  /// Reads a number and returns its range.
  public static func number(
    _ text: RawSpan, _ at: inout Int, allowing leniency: JSONLeniency = []
  ) throws(JSONProblem) -> Range<Int> {
    let start = at
    let isNegative = take("-", text, &at)
    let first = peek(text, at)
    if leniency.contains(.programs), first == UInt8(ascii: "I") || (first == UInt8(ascii: "N") && !isNegative) {
      try word(first == UInt8(ascii: "N") ? "NaN" : "Infinity", text, &at)
      return start..<at
    }
    if !take("0", text, &at) {
      guard digits(text, &at) else { throw JSONProblem(offset: start, reason: isNegative ? .number : .value) }
    } else if let byte = peek(text, at), (48...57).contains(byte) {
      throw JSONProblem(offset: start, reason: .number)
    }
    if take(".", text, &at) {
      guard digits(text, &at) else { throw JSONProblem(offset: start, reason: .number) }
    }
    if take("e", text, &at) || take("E", text, &at) {
      if !take("+", text, &at) { _ = take("-", text, &at) }
      guard digits(text, &at) else { throw JSONProblem(offset: start, reason: .number) }
    }
    return start..<at
  }

  /// Whether the text starts with a byte order mark.
  static func startsWithMark(_ text: RawSpan) -> Bool {
    peek(text, 0) == 0xef && peek(text, 1) == 0xbb && peek(text, 2) == 0xbf
  }

  private static func take(_ range: ClosedRange<UInt8>, _ text: RawSpan, _ at: inout Int) -> Bool {
    guard let byte = peek(text, at), range.contains(byte) else { return false }
    at += 1
    return true
  }

  private static func digits(_ text: RawSpan, _ at: inout Int) -> Bool {
    let start = at
    while take(48...57, text, &at) {}
    return at > start
  }
}

// MARK: Strings

extension JSONTokens {
  /// Reads a string and returns the range between its quotes, with escapes unchanged.
  public static func string(_ text: RawSpan, _ at: inout Int) throws(JSONProblem) -> Range<Int> {
    try string(text, &at, missing: .value)
  }

  static func string(
    _ text: RawSpan, _ at: inout Int, missing: JSONProblem.Reason
  ) throws(JSONProblem) -> Range<Int> {
    let quote = at
    guard take("\"", text, &at) else { throw JSONProblem(offset: at, reason: missing) }
    let start = at
    while let byte = peek(text, at) {
      let place = at
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<place
      case UInt8(ascii: "\\"): if !escape(text, &at) { throw JSONProblem(offset: place, reason: .escape) }
      case ..<32: throw JSONProblem(offset: place, reason: .control)
      case 128...: if !character(after: byte, text, &at) { throw JSONProblem(offset: place, reason: .utf8) }
      default: break
      }
    }
    throw JSONProblem(offset: quote, reason: .openString)
  }

  /// The text between the quotes of a string, unescaped; half a surrogate pair becomes U+FFFD.
  public static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = String(decoding: bytes, as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5c, let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      switch UInt8(truncatingIfNeeded: escape) {
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "u"):
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) ?? 0xfffd)
        rest = rest.dropFirst(4)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Reads the rest of a multi-byte character (Unicode 16, table 3-7: well-formed UTF-8).
  private static func character(after first: UInt8, _ text: RawSpan, _ at: inout Int) -> Bool {
    let second: ClosedRange<UInt8>
    switch first {
    case 0xe0: second = 0xa0...0xbf
    case 0xed: second = 0x80...0x9f
    case 0xf0: second = 0x90...0xbf
    case 0xf4: second = 0x80...0x8f
    case 0xc2...0xf4: second = 0x80...0xbf
    default: return false
    }
    guard take(second, text, &at) else { return false }
    if first >= 0xe0 { guard take(0x80...0xbf, text, &at) else { return false } }
    if first >= 0xf0 { guard take(0x80...0xbf, text, &at) else { return false } }
    return true
  }

  private static func escape(_ text: RawSpan, _ at: inout Int) -> Bool {
    guard let byte = peek(text, at) else { return false }
    at += 1
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    for _ in 0..<4 {
      let isDigit = take(48...57, text, &at) || take(65...70, text, &at) || take(97...102, text, &at)
      if !isDigit { return false }
    }
    return true
  }
}
