import TelecapText

/// Parses printed Python values, as of `print(dict(…))`: strings in single quotes, `True`, `False` and `None`, tuples,
/// and the calls that represent types, such as `np.float64(0.5)`.
struct PythonText {
  private let text: [UInt8]
  private var place = 0

  /// The maximum nesting of values.
  private static let deepest = 64

  private init(_ text: [UInt8]) { self.text = text }

  /// The values of a line, one after the other; nil where it is anything else.
  static func values(of line: [UInt8]) -> [JSONNode]? {
    var reader = PythonText(line)
    var values: [JSONNode] = []
    reader.skipBlanks()
    while reader.place < line.count {
      guard let value = reader.value(0) else { return nil }
      values.append(value)
      reader.skipBlanks()
    }
    return values
  }

  private var byte: UInt8? { place < text.count ? text[place] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { place += 1 }
  }

  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    place += 1
    return true
  }

  private mutating func value(_ depth: Int) -> JSONNode? {
    skipBlanks()
    guard depth < PythonText.deepest, let byte else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return braces(depth)
    case UInt8(ascii: "["): return list(to: UInt8(ascii: "]"), depth).map { JSONNode(.array($0)) }
    case UInt8(ascii: "("): return list(to: UInt8(ascii: ")"), depth).map { JSONNode(.array($0)) }
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string().map { .string($0) }
    default: return word(depth)
    }
  }

  /// A dictionary, or a set.
  private mutating func braces(_ depth: Int) -> JSONNode? {
    place += 1
    var (members, elements): ([JSONMember], [JSONNode]) = ([], [])
    while !take(UInt8(ascii: "}")) {
      guard let key = value(depth + 1) else { return nil }
      if take(UInt8(ascii: ":")) {
        guard let value = value(depth + 1) else { return nil }
        members.append(JSONMember(key.string ?? key.onOneLine, value))
      } else {
        elements.append(key)
      }
      guard take(UInt8(ascii: ",")) || byte == UInt8(ascii: "}") else { return nil }
    }
    guard members.isEmpty || elements.isEmpty else { return nil }
    return JSONNode(elements.isEmpty ? .object(members) : .array(elements))
  }

  private mutating func list(to end: UInt8, _ depth: Int) -> [JSONNode]? {
    place += 1
    var elements: [JSONNode] = []
    while !take(end) {
      guard let element = value(depth + 1) else { return nil }
      elements.append(element)
      guard take(UInt8(ascii: ",")) || byte == end else { return nil }
    }
    return elements
  }

  private mutating func string() -> String? {
    let quote = text[place]
    place += 1
    var bytes: [UInt8] = []
    while let byte, byte != quote {
      place += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = self.byte else { return nil }
      place += 1
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "x"): guard code(2, &bytes) else { return nil }
      case UInt8(ascii: "u"): guard code(4, &bytes) else { return nil }
      case UInt8(ascii: "U"): guard code(8, &bytes) else { return nil }
      default: bytes.append(escaped)
      }
    }
    guard byte == quote else { return nil }
    place += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A character by its hexadecimal code with this number of digits.
  private mutating func code(_ digits: Int, _ bytes: inout [UInt8]) -> Bool {
    let code = String(decoding: text[place...].prefix(digits), as: UTF8.self)
    guard code.utf8.count == digits, let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init) else {
      return false
    }
    place += digits
    bytes += Array(String(scalar).utf8)
    return true
  }

  /// A number, a constant, a string with a prefix letter, or a call.
  private mutating func word(_ depth: Int) -> JSONNode? {
    let start = place
    while let byte, PythonText.isOfWord(byte) { place += 1 }
    let word = String(decoding: text[start..<place], as: UTF8.self)
    switch word {
    case "": return nil
    case "True": return JSONNode(.bool(true))
    case "False": return JSONNode(.bool(false))
    case "None": return JSONNode(.null)
    case "nan": return JSONNode(.number("NaN"))
    case "inf": return JSONNode(.number("Infinity"))
    case "-inf": return JSONNode(.number("-Infinity"))
    case "b", "u":
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return string().map { .string($0) } }
      return nil
    default: break
    }
    if let first = word.first, first.isNumber || first == "-", Double(word) != nil { return JSONNode(.number(word)) }
    guard byte == UInt8(ascii: "("), let values = list(to: UInt8(ascii: ")"), depth) else { return nil }
    return values.count == 1 ? values[0] : JSONNode(.array(values))
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
