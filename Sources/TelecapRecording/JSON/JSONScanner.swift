/// What a scan of JSON meets, in the order of the text. Offsets and ranges are bytes from the start of the text; those
/// of strings and keys lie between the quotes, escapes as they stand.
public protocol JSONVisitor {
  /// `{` or `[`.
  mutating func begin(_ container: JSONContainer, at offset: Int)
  /// `}` or `]`.
  mutating func end()
  /// The key of the value that follows.
  mutating func key(_ range: Range<Int>)
  /// A string that is a value.
  mutating func string(_ range: Range<Int>)
  /// A number.
  mutating func number(_ range: Range<Int>)
  /// `true`, `false`, or nil for `null`.
  mutating func word(_ value: Bool?, at offset: Int)
  /// A comma behind the last member, which a forgiving scan passes over.
  mutating func trailingComma(at offset: Int)
}

/// An object or an array.
public enum JSONContainer: Hashable, Sendable {
  /// `{}`.
  case object
  /// `[]`.
  case array
}

/// Why text is not JSON, and where.
public struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte at which it shows; the length of the text when it ends too early.
  public var offset: Int
  /// What is wrong, in words.
  public var description: String { reason.words }
  var reason: Reason

  enum Reason: Hashable, Sendable {
    case value, key, colon, comma(JSONContainer), openString, control, escape, utf8, number, depth, rest

    var words: String {
      switch self {
      case .value: "expected a value"
      case .key: "expected a key in double quotes"
      case .colon: "expected a colon behind the key"
      case .comma(.object): "expected a comma or }"
      case .comma(.array): "expected a comma or ]"
      case .openString: "this string has no closing quote"
      case .control: "a control character in a string; write it as an escape"
      case .escape: "unknown escape in a string"
      case .utf8: "bytes that are not UTF-8"
      case .number: "a number that JSON does not write like this"
      case .depth: "more than \(JSONScanner.maximumDepth) levels deep"
      case .rest: "expected nothing behind the value"
      }
    }
  }
}

/// What a scan takes beside JSON as RFC 8259 has it.
public struct JSONLeniency: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Commas behind a last member, and a byte-order mark: what people write.
  public static let people = JSONLeniency(rawValue: 1)
  /// `NaN`, `Infinity` and `-Infinity` as numbers: what Python and JavaScript programs print.
  public static let programs = JSONLeniency(rawValue: 2)
}

/// Scans JSON (RFC 8259): UTF-8 only, 64 levels deep at most. Allocates nothing; what is to be kept is the visitor's work.
public struct JSONScanner {
  /// How many levels of brackets are followed.
  public static let maximumDepth = 64

  private let text: UnsafeRawBufferPointer
  private let leniency: JSONLeniency
  private var at = 0

  /// Hands everything in `text` to `visitor`, which has had all that comes before a problem.
  ///
  /// - Parameter leniency: what is taken beside JSON.
  /// - Throws: `JSONProblem`
  public static func scan(
    _ text: RawSpan, to visitor: inout some JSONVisitor, allowing leniency: JSONLeniency = []
  ) throws(JSONProblem) {
    var problem: JSONProblem?
    text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(text: bytes, leniency: leniency)
      do throws(JSONProblem) { try scanner.document(&visitor) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private init(text: UnsafeRawBufferPointer, leniency: JSONLeniency) {
    self.text = text
    self.leniency = leniency
  }

  private var peek: UInt8? { at < text.count ? text[at] : nil }

  private func problem(_ reason: JSONProblem.Reason, at offset: Int? = nil) -> JSONProblem {
    JSONProblem(offset: offset ?? at, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 32 || byte == 9 || byte == 10 || byte == 13 { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func take(_ range: ClosedRange<UInt8>) -> Bool {
    guard let byte = peek, range.contains(byte) else { return false }
    at += 1
    return true
  }

  private mutating func document(_ visitor: inout some JSONVisitor) throws(JSONProblem) {
    if leniency.contains(.people), text.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    try value(0, &visitor)
    skipSpace()
    if peek != nil { throw problem(.rest) }
  }

  private mutating func value(_ depth: Int, _ visitor: inout some JSONVisitor) throws(JSONProblem) {
    skipSpace()
    guard depth < JSONScanner.maximumDepth else { throw problem(.depth) }
    let start = at
    switch peek {
    case UInt8(ascii: "{"): try members(.object, "}", depth, &visitor)
    case UInt8(ascii: "["): try members(.array, "]", depth, &visitor)
    case UInt8(ascii: "\""): visitor.string(try string(.value))
    case UInt8(ascii: "t"):
      try word("true")
      visitor.word(true, at: start)
    case UInt8(ascii: "f"):
      try word("false")
      visitor.word(false, at: start)
    case UInt8(ascii: "n"):
      try word("null")
      visitor.word(nil, at: start)
    default: visitor.number(try number())
    }
  }

  /// An object or an array, from its opening bracket.
  private mutating func members(
    _ container: JSONContainer, _ closing: Unicode.Scalar, _ depth: Int, _ visitor: inout some JSONVisitor
  ) throws(JSONProblem) {
    visitor.begin(container, at: at)
    at += 1
    skipSpace()
    var comma: Int?
    while peek != UInt8(ascii: closing) || comma != nil {
      if let place = comma, leniency.contains(.people), peek == UInt8(ascii: closing) {
        visitor.trailingComma(at: place)
        break
      }
      if container == .object {
        visitor.key(try string(.key))
        skipSpace()
        guard take(":") else { throw problem(.colon) }
      }
      try value(depth + 1, &visitor)
      skipSpace()
      guard peek == UInt8(ascii: ",") else { break }
      comma = at
      at += 1
      skipSpace()
    }
    guard take(closing) else { throw problem(.comma(container)) }
    visitor.end()
  }

  private mutating func word(_ word: StaticString) throws(JSONProblem) {
    let start = at
    let isThere = word.withUTF8Buffer { text[min(at, text.count)...].starts(with: $0) }
    guard isThere else { throw problem(.value, at: start) }
    at += word.utf8CodeUnitCount
  }

  private mutating func number() throws(JSONProblem) -> Range<Int> {
    let start = at
    let isNegative = take("-")
    if leniency.contains(.programs), peek == UInt8(ascii: "I") || (peek == UInt8(ascii: "N") && !isNegative) {
      try word(peek == UInt8(ascii: "N") ? "NaN" : "Infinity")
      return start..<at
    }
    if !take("0") {
      guard digits() else { throw problem(isNegative ? .number : .value, at: start) }
    } else if let byte = peek, (48...57).contains(byte) {
      throw problem(.number, at: start)
    }
    if take(".") { guard digits() else { throw problem(.number, at: start) } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { throw problem(.number, at: start) }
    }
    return start..<at
  }

  private mutating func digits() -> Bool {
    let start = at
    while take(48...57) {}
    return at > start
  }
}

// MARK: Strings

extension JSONScanner {
  private mutating func string(_ missing: JSONProblem.Reason) throws(JSONProblem) -> Range<Int> {
    let quote = at
    guard take("\"") else { throw problem(missing) }
    let start = at
    while let byte = peek {
      let place = at
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<place
      case UInt8(ascii: "\\"): if !escape() { throw problem(.escape, at: place) }
      case ..<32: throw problem(.control, at: place)
      case 128...: if !character(after: byte) { throw problem(.utf8, at: place) }
      default: break
      }
    }
    throw problem(.openString, at: quote)
  }

  /// The rest of a character of several bytes (Unicode 16, table 3-7: well-formed UTF-8).
  private mutating func character(after first: UInt8) -> Bool {
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

  private mutating func escape() -> Bool {
    guard let byte = peek else { return false }
    at += 1
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    for _ in 0..<4 {
      guard take(48...57) || take(65...70) || take(97...102) else { return false }
    }
    return true
  }
}
