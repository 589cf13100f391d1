/// Reads the JSON of one line of a plan (RFC 8259): an object of strings, whole numbers and lists of whole numbers.
struct PlanScanner {
  /// The line, without its line feed.
  var bytes: [UInt8] = []
  /// The number of the line, from 1.
  var line = 1
  /// The byte that is read next.
  private(set) var position = 0

  /// Whether the line holds nothing but white space.
  mutating func isBlank() -> Bool {
    position = 0
    skipSpace()
    return position == bytes.count
  }

  /// Reads the object: `value` is called behind each key's colon and reads its value; `keyAt` is where the key began.
  mutating func object(
    _ value: (inout PlanScanner, _ key: String, _ keyAt: Int) throws(PlanSyntaxError) -> Void
  ) throws(PlanSyntaxError) {
    position = 0
    try expect("{", "a line of a plan begins with")
    if !takes("}") {
      repeat {
        skipSpace()
        let keyAt = position
        let key = try string("a key in quotes")
        try expect(":", "behind the key \"\(key)\" expected")
        try value(&self, key, keyAt)
      } while takes(",")
      try expect("}", "expected a comma or")
    }
    skipSpace()
    if position < bytes.count { throw error("expected nothing behind the object") }
  }

  /// Reads a whole number of at most `limit`.
  mutating func number(_ what: String, limit: UInt64) throws(PlanSyntaxError) -> UInt64 {
    skipSpace()
    let start = position
    var total: UInt64 = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      let (product, overflow) = total.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[position] - 48))
      if overflow || carry { throw error("\(what) is at most \(limit)", at: start) }
      total = sum
      position += 1
    }
    let isWhole = position > start && (position == bytes.count || !(".eE".utf8.contains(bytes[position])))
    if !isWhole { throw error("expected \(what), a whole number", at: start) }
    if total > limit { throw error("\(what) is at most \(limit)", at: start) }
    return total
  }

  /// Reads a list of whole numbers of at most `limit`, or one such number without brackets.
  mutating func numbers<Element: FixedWidthInteger & Sendable>(
    _ what: String, limit: Element
  ) throws(PlanSyntaxError) -> Few<Element> {
    guard takes("[") else { return Few(Element(try number(what, limit: UInt64(limit)))) }
    var list = Few<Element>()
    if takes("]") { return list }
    repeat {
      skipSpace()
      let start = position
      let element = Element(try number(what, limit: UInt64(limit)))
      if !list.append(element) { throw error("a packet has at most \(Few<Element>.capacity) of these", at: start) }
    } while takes(",")
    try expect("]", "expected a comma or")
    return list
  }

  /// Reads a string.
  mutating func string(_ what: String) throws(PlanSyntaxError) -> String {
    guard takes("\"") else { throw error("expected \(what)") }
    let start = position
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(take()) }
    }
    guard position < bytes.count else { throw error("this string has no closing quote", at: start - 1) }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// An error at a byte, the next one unless given.
  func error(_ problem: String, at place: Int? = nil) -> PlanSyntaxError {
    PlanSyntaxError(line: line, column: (place ?? position) + 1, problem: problem)
  }

  /// Passes over white space.
  mutating func skipSpace() {
    while position < bytes.count, " \t\r".utf8.contains(bytes[position]) { position += 1 }
  }

  private mutating func take() -> UInt8 {
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, _ sentence: String) throws(PlanSyntaxError) {
    if !takes(character) { throw error("\(sentence) \(character)") }
  }

  private mutating func escape(into text: inout [UInt8]) throws(PlanSyntaxError) {
    let start = position
    position += 1
    guard position < bytes.count else { throw error("this string has no closing quote", at: start) }
    switch take() {
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "u"):
      let high = try codeUnit(start)
      var units = [high]
      if UTF16.isLeadSurrogate(high), bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        units.append(try codeUnit(start))
      }
      text += String(decoding: units, as: UTF16.self).utf8
    case let byte where "\"\\/".utf8.contains(byte): text.append(byte)
    default: throw error("unknown escape in a string", at: start)
    }
  }

  private mutating func codeUnit(_ start: Int) throws(PlanSyntaxError) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.first != UInt8(ascii: "+")
    else { throw error("\\u needs four hexadecimal digits", at: start) }
    position += 4
    return unit
  }
}
