/// Receives the tokens of a JSON scan, in the order of the text. Offsets and ranges are in bytes from the start of the
/// text; those of strings and keys are between the quotes, with escapes unchanged.
public protocol JSONVisitor {
  /// `{` or `[`.
  mutating func begin(_ container: JSONContainer, at offset: Int)
  /// `}` or `]`.
  mutating func end()
  /// The key of the value that follows.
  mutating func key(_ range: Range<Int>)
  /// A string value.
  mutating func string(_ range: Range<Int>)
  /// A number.
  mutating func number(_ range: Range<Int>)
  /// `true`, `false`, or nil for `null`.
  mutating func word(_ value: Bool?, at offset: Int)
  /// A comma after the last member, which a lenient scan ignores.
  mutating func trailingComma(at offset: Int)
}

/// An object or an array.
public enum JSONContainer: Hashable, Sendable {
  /// `{}`.
  case object
  /// `[]`.
  case array
}

/// The reason why text is not JSON, with its offset.
public struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the byte at fault; the length of the text if it is truncated.
  public var offset: Int
  /// The problem in words.
  public var description: String { reason.words }
  /// Whether a complete value precedes it, so that only the text after it is wrong.
  public var isBehindValue: Bool { reason == .rest }
  var reason: Reason

  enum Reason: Hashable, Sendable {
    case value, key, colon, comma(JSONContainer), openString, control, escape, utf8, number, depth, rest

    var words: String {
      switch self {
      case .value: "expected a value"
      case .key: "expected a key in double quotes"
      case .colon: "expected a colon after the key"
      case .comma(.object): "expected a comma or }"
      case .comma(.array): "expected a comma or ]"
      case .openString: "this string has no closing quote"
      case .control: "a control character in a string; write it as an escape"
      case .escape: "unknown escape in a string"
      case .utf8: "bytes that are not UTF-8"
      case .number: "a number that JSON does not write like this"
      case .depth: "more than \(JSONScanner.maximumDepth) levels deep"
      case .rest: "expected nothing after the value"
      }
    }
  }
}

/// The extensions of RFC 8259 that a scan accepts.
public struct JSONLeniency: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Commas after a last member, and a byte order mark, as people write them.
  public static let people = JSONLeniency(rawValue: 1)
  /// `NaN`, `Infinity` and `-Infinity` as numbers, as Python and JavaScript programs print them.
  public static let programs = JSONLeniency(rawValue: 2)
}

/// Scans JSON (RFC 8259): UTF-8 only, at most 64 levels deep. Allocates nothing; the visitor stores what it needs.
public struct JSONScanner {
  /// The maximum depth of nested brackets.
  public static let maximumDepth = 64

  private let leniency: JSONLeniency
  private var at = 0

  /// Passes all tokens in `text` to `visitor`, up to a problem.
  ///
  /// - Parameter leniency: the accepted extensions.
  /// - Throws: `JSONProblem`
  public static func scan(
    _ text: RawSpan, to visitor: inout some JSONVisitor, allowing leniency: JSONLeniency = []
  ) throws(JSONProblem) {
    var scanner = JSONScanner(leniency: leniency)
    try scanner.document(text, &visitor)
  }

  private init(leniency: JSONLeniency) { self.leniency = leniency }

  private func problem(_ reason: JSONProblem.Reason) -> JSONProblem { JSONProblem(offset: at, reason: reason) }

  private mutating func document(_ text: RawSpan, _ visitor: inout some JSONVisitor) throws(JSONProblem) {
    if leniency.contains(.people), JSONTokens.startsWithMark(text) { at = 3 }
    try value(text, 0, &visitor)
    JSONTokens.skipSpace(text, &at)
    if at < text.byteCount { throw problem(.rest) }
  }

  private mutating func value(_ text: RawSpan, _ depth: Int, _ visitor: inout some JSONVisitor) throws(JSONProblem) {
    JSONTokens.skipSpace(text, &at)
    guard depth < JSONScanner.maximumDepth else { throw problem(.depth) }
    let start = at
    switch JSONTokens.peek(text, at) {
    case UInt8(ascii: "{"): try members(text, .object, "}", depth, &visitor)
    case UInt8(ascii: "["): try members(text, .array, "]", depth, &visitor)
    case UInt8(ascii: "\""): visitor.string(try JSONTokens.string(text, &at))
    case UInt8(ascii: "t"):
      try JSONTokens.word("true", text, &at)
      visitor.word(true, at: start)
    case UInt8(ascii: "f"):
      try JSONTokens.word("false", text, &at)
      visitor.word(false, at: start)
    case UInt8(ascii: "n"):
      try JSONTokens.word("null", text, &at)
      visitor.word(nil, at: start)
    default: visitor.number(try JSONTokens.number(text, &at, allowing: leniency))
    }
  }

  /// Scans an object or an array from its opening bracket.
  private mutating func members(
    _ text: RawSpan, _ container: JSONContainer, _ closing: Unicode.Scalar, _ depth: Int,
    _ visitor: inout some JSONVisitor
  ) throws(JSONProblem) {
    visitor.begin(container, at: at)
    at += 1
    JSONTokens.skipSpace(text, &at)
    var comma: Int?
    while JSONTokens.peek(text, at) != UInt8(ascii: closing) || comma != nil {
      if let place = comma, leniency.contains(.people), JSONTokens.peek(text, at) == UInt8(ascii: closing) {
        visitor.trailingComma(at: place)
        break
      }
      if container == .object {
        visitor.key(try JSONTokens.string(text, &at, missing: .key))
        JSONTokens.skipSpace(text, &at)
        guard JSONTokens.take(":", text, &at) else { throw problem(.colon) }
      }
      try value(text, depth + 1, &visitor)
      JSONTokens.skipSpace(text, &at)
      let place = at
      guard JSONTokens.take(",", text, &at) else { break }
      comma = place
      JSONTokens.skipSpace(text, &at)
    }
    guard JSONTokens.take(closing, text, &at) else { throw problem(.comma(container)) }
    visitor.end()
  }
}
