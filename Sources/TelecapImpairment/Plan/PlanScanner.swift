import TelecapText

/// Parses the JSON of one line of a plan (RFC 8259): an object of strings, whole numbers and lists of whole numbers. It
/// knows the expected types, and words errors in terms of plans; the tokens are those of our common JSON parser.
struct PlanScanner {
  /// The line, without its line feed.
  var bytes: [UInt8] = []
  /// The number of the line, from 1.
  var line = 1
  /// The offset of the next byte.
  private(set) var position = 0

  /// Whether the line has only white space.
  mutating func isBlank() -> Bool {
    position = 0
    skipSpace()
    return position == bytes.count
  }

  /// Parses the object: `value` is called after each key's colon and parses its value; `keyAt` is the offset of the
  /// key.
  mutating func object(
    _ value: (inout PlanScanner, _ key: String, _ keyAt: Int) throws(PlanSyntaxError) -> Void
  ) throws(PlanSyntaxError) {
    position = 0
    try members("a line of a plan begins with", value)
    skipSpace()
    if position < bytes.count { throw error("expected nothing after the object") }
  }

  /// Parses the members of an object from its brace on.
  mutating func members(
    _ beginning: String,
    _ value: (inout PlanScanner, _ key: String, _ keyAt: Int) throws(PlanSyntaxError) -> Void
  ) throws(PlanSyntaxError) {
    try expect("{", beginning)
    if !takes("}") {
      repeat {
        skipSpace()
        let keyAt = position
        let key = try string("a key in quotes")
        try expect(":", "after the key \"\(key)\" expected")
        try value(&self, key, keyAt)
      } while takes(",")
      try expect("}", "expected a comma or")
    }
  }

  /// Parses the new value of a field: a number, or its bits in quotes.
  mutating func changedValue() throws(PlanSyntaxError) -> ChangedValue {
    let expected = "expected a number, or bits such as \"bits:7fc00000\""
    skipSpace()
    let start = position
    var text = ""
    if JSONTokens.peek(bytes.span.bytes, position) == UInt8(ascii: "\"") {
      text = try string(expected)
      guard text.hasPrefix("bits:") else { throw error(expected, at: start) }
    } else {
      var at = position
      guard let digits = try? JSONTokens.number(bytes.span.bytes, &at) else { throw error(expected, at: start) }
      position = at
      text = String(decoding: bytes[digits], as: UTF8.self)
    }
    guard let value = ChangedValue(text) else { throw error(expected, at: start) }
    if case .double(let number) = value, !number.isFinite {
      throw error("this number is larger than any field holds", at: start)
    }
    return value
  }

  /// Parses a whole number of at most `limit`.
  mutating func number(_ what: String, limit: UInt64) throws(PlanSyntaxError) -> UInt64 {
    skipSpace()
    let start = position
    var at = start
    guard let digits = try? JSONTokens.number(bytes.span.bytes, &at),
      bytes[digits].allSatisfy({ (48...57).contains($0) })
    else { throw error("expected \(what), a whole number", at: start) }
    position = at
    var total: UInt64 = 0
    for digit in bytes[digits] {
      let (product, overflow) = total.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit - 48))
      if overflow || carry { throw error("\(what) is at most \(limit)", at: start) }
      total = sum
    }
    if total > limit { throw error("\(what) is at most \(limit)", at: start) }
    return total
  }

  /// Parses a list of whole numbers of at most `limit`, or one such number without brackets.
  mutating func numbers<Element: FixedWidthInteger & Sendable>(
    _ what: String, limit: Element
  ) throws(PlanSyntaxError) -> InlineList<Element> {
    guard takes("[") else { return InlineList(Element(try number(what, limit: UInt64(limit)))) }
    var list = InlineList<Element>()
    if takes("]") { return list }
    repeat {
      skipSpace()
      let start = position
      let element = Element(try number(what, limit: UInt64(limit)))
      if !list.append(element) {
        throw error("a packet has at most \(InlineList<Element>.capacity) of these", at: start)
      }
    } while takes(",")
    try expect("]", "expected a comma or")
    return list
  }

  /// Parses a string.
  mutating func string(_ what: String) throws(PlanSyntaxError) -> String {
    skipSpace()
    guard JSONTokens.peek(bytes.span.bytes, position) == UInt8(ascii: "\"") else { throw error("expected \(what)") }
    do throws(JSONProblem) {
      var at = position
      let text = try JSONTokens.string(bytes.span.bytes, &at)
      position = at
      return JSONTokens.unescaped(bytes[text])
    } catch {
      throw self.error(error.description, at: error.offset)
    }
  }

  /// An error at a byte; by default the next one.
  func error(_ problem: String, at place: Int? = nil) -> PlanSyntaxError {
    PlanSyntaxError(line: line, column: (place ?? position) + 1, problem: problem)
  }

  /// Skips white space.
  mutating func skipSpace() {
    var at = position
    JSONTokens.skipSpace(bytes.span.bytes, &at)
    position = at
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard JSONTokens.peek(bytes.span.bytes, position) == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, _ sentence: String) throws(PlanSyntaxError) {
    if !takes(character) { throw error("\(sentence) \(character)") }
  }
}
