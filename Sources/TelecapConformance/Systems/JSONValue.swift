/// What a system under test prints: a JSON value (RFC 8259).
///
/// Read here and by no library: Foundation is not allowed in this room, and Yams takes lines that are no JSON for YAML
/// (`listening: 50000`) and refuses the surrogate pairs that Python writes. Bare `NaN`, `Infinity` and `-Infinity` are
/// read as numbers, as Python and JavaScript programs print them: a host that applies a pose of NaN must be seen to.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A number.
  case number(Double)
  /// Text.
  case text(String)
  /// An array.
  case list([JSONValue])
  /// An object; of two members with one name the last counts.
  case object([String: JSONValue])

  /// Reads a line that is one JSON object; nil for any other line.
  public init?(line: some Collection<UInt8>) {
    var reader = JSONReader(Array(line))
    guard let value = reader.line(), case .object = value else { return nil }
    self = value
  }

  /// What stands at a path of names, and of places in arrays from 0; nil where nothing does.
  public subscript(path: [String]) -> JSONValue? {
    var value = self
    for name in path {
      switch value {
      case .object(let members):
        guard let member = members[name] else { return nil }
        value = member
      case .list(let list):
        guard let index = Int(name), list.indices.contains(index) else { return nil }
        value = list[index]
      default: return nil
      }
    }
    return value
  }

  /// A number: also of a text that holds one, such as `"NaN"`; true is 1 and false 0.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .flag(let value): value ? 1 : 0
    case .text("NaN"): .nan
    case .text("Infinity"): .infinity
    case .text("-Infinity"): -.infinity
    case .text(let text): text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(text) : nil
    default: nil
    }
  }

  /// Text, or a number or a flag as it is written.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .flag(let value): value ? "true" : "false"
    case .number(let value): Int64(exactly: value).map(String.init) ?? "\(value)"
    default: nil
    }
  }
}

/// Reads one JSON value, at most 64 levels deep.
private struct JSONReader {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func line() -> JSONValue? {
    guard let value = value(0) else { return nil }
    skipSpace()
    return at == bytes.count ? value : nil
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 32 || byte == 9 || byte == 10 || byte == 13 { at += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    at += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard bytes[at...].starts(with: word.utf8) else { return false }
    at += word.utf8.count
    return true
  }

  private mutating func value(_ depth: Int) -> JSONValue? {
    guard depth < 64 else { return nil }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "t"): return take(word: "true") ? .flag(true) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .flag(false) : nil
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    case UInt8(ascii: "N"): return take(word: "NaN") ? .number(.nan) : nil
    case UInt8(ascii: "I"): return take(word: "Infinity") ? .number(.infinity) : nil
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    at += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      guard let name = string() else { return nil }
      skipSpace()
      guard take(":"), let value = value(depth + 1) else { return nil }
      members[name] = value
      skipSpace()
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func list(_ depth: Int) -> JSONValue? {
    at += 1
    var list: [JSONValue] = []
    skipSpace()
    if take("]") { return .list(list) }
    repeat {
      guard let value = value(depth + 1) else { return nil }
      list.append(value)
      skipSpace()
    } while take(",")
    return take("]") ? .list(list) : nil
  }

  private mutating func number() -> JSONValue? {
    if take(word: "-Infinity") { return .number(-.infinity) }
    let start = at
    _ = take("-")
    if !take("0") { guard digits() else { return nil } }
    if take(".") { guard digits() else { return nil } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { return nil }
    }
    return Double(String(decoding: bytes[start..<at], as: UTF8.self)).map { .number($0) }
  }

  private mutating func digits() -> Bool {
    let start = at
    while let byte = peek, (48...57).contains(byte) { at += 1 }
    return at > start
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = peek {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
      case ..<32: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape(into text: inout [UInt8]) -> Bool {
    guard let byte = peek else { return false }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"): return character(into: &text)
    default: return false
    }
    return true
  }

  /// A character by its number, or by a pair of surrogates; half a pair becomes U+FFFD.
  private mutating func character(into text: inout [UInt8]) -> Bool {
    guard let first = hexadecimal() else { return false }
    var number = UInt32(first)
    if first & 0xfc00 == 0xd800, bytes[at...].starts(with: "\\u".utf8) {
      let before = at
      at += 2
      guard let second = hexadecimal() else { return false }
      if second & 0xfc00 == 0xdc00 {
        number = 0x1_0000 + (UInt32(first) & 0x3ff) << 10 + (UInt32(second) & 0x3ff)
      } else {
        at = before
      }
    }
    text.append(contentsOf: String(Unicode.Scalar(number) ?? "\u{fffd}").utf8)
    return true
  }

  private mutating func hexadecimal() -> UInt16? {
    guard at + 4 <= bytes.count else { return nil }
    let digits = bytes[at..<at + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    at += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
