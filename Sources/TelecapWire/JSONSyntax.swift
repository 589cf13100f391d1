/// Whether bytes are JSON (RFC 8259), without reading their values: CONFIG must hold an object, and this room has no
/// Foundation. Strict: no comments, no trailing commas, UTF-8 only, 64 levels deep at most. Allocates nothing.
enum JSONSyntax {
  /// The bytes in `range` are one JSON object.
  static func isObject(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { whole in
      var scanner = Scanner(text: UnsafeRawBufferPointer(rebasing: whole[range.clamped(to: 0..<whole.count)]))
      scanner.skipSpace()
      guard scanner.peek == UInt8(ascii: "{"), scanner.value(depth: 0) else { return false }
      scanner.skipSpace()
      return scanner.peek == nil
    }
  }

  private struct Scanner {
    let text: UnsafeRawBufferPointer
    var at = 0

    var peek: UInt8? { at < text.count ? text[at] : nil }

    mutating func skipSpace() {
      while let byte = peek, byte == 32 || byte == 9 || byte == 10 || byte == 13 { at += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard peek == UInt8(ascii: character) else { return false }
      at += 1
      return true
    }

    mutating func value(depth: Int) -> Bool {
      guard depth < 64 else { return false }
      skipSpace()
      switch peek {
      case UInt8(ascii: "{"): return members(depth, closing: "}", named: true)
      case UInt8(ascii: "["): return members(depth, closing: "]", named: false)
      case UInt8(ascii: "\""): return string()
      case UInt8(ascii: "t"): return word("true")
      case UInt8(ascii: "f"): return word("false")
      case UInt8(ascii: "n"): return word("null")
      default: return number()
      }
    }

    /// An object or an array, from its opening bracket.
    mutating func members(_ depth: Int, closing: Unicode.Scalar, named: Bool) -> Bool {
      at += 1
      skipSpace()
      if take(closing) { return true }
      repeat {
        skipSpace()
        if named {
          guard string() else { return false }
          skipSpace()
          guard take(":") else { return false }
        }
        guard value(depth: depth + 1) else { return false }
        skipSpace()
      } while take(",")
      return take(closing)
    }

    mutating func string() -> Bool {
      guard take("\"") else { return false }
      while let byte = peek {
        at += 1
        switch byte {
        case UInt8(ascii: "\""): return true
        case UInt8(ascii: "\\"): guard escape() else { return false }
        case ..<32: return false
        case 128...: guard character(after: byte) else { return false }
        default: break
        }
      }
      return false
    }

    /// The rest of a character of several bytes (Unicode 16, table 3-7: well-formed UTF-8).
    mutating func character(after first: UInt8) -> Bool {
      let second: ClosedRange<UInt8>
      switch first {
      case 0xe0: second = 0xa0...0xbf
      case 0xed: second = 0x80...0x9f
      case 0xf0: second = 0x90...0xbf
      case 0xf4: second = 0x80...0x8f
      case 0xc2...0xf4: second = 0x80...0xbf
      default: return false
      }
      guard take(second) else { return false }
      if first >= 0xe0 { guard take(0x80...0xbf) else { return false } }
      if first >= 0xf0 { guard take(0x80...0xbf) else { return false } }
      return true
    }

    mutating func take(_ range: ClosedRange<UInt8>) -> Bool {
      guard let byte = peek, range.contains(byte) else { return false }
      at += 1
      return true
    }

    mutating func escape() -> Bool {
      guard let byte = peek else { return false }
      at += 1
      guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
      for _ in 0..<4 {
        guard let digit = peek, Character(Unicode.Scalar(digit)).isHexDigit else { return false }
        at += 1
      }
      return true
    }

    mutating func word(_ word: String) -> Bool {
      for byte in word.utf8 {
        guard peek == byte else { return false }
        at += 1
      }
      return true
    }

    mutating func number() -> Bool {
      _ = take("-")
      if !take("0") { guard digits() else { return false } }
      if take(".") { guard digits() else { return false } }
      if take("e") || take("E") {
        if !take("+") { _ = take("-") }
        guard digits() else { return false }
      }
      return true
    }

    mutating func digits() -> Bool {
      let start = at
      while let byte = peek, (48...57).contains(byte) { at += 1 }
      return at > start
    }
  }
}
