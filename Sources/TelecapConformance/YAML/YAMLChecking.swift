import TelecapImpairment
import TelecapRecording
import TelecapWire
import TelecapText

extension YAMLValue {
  /// Checks the value against a type.
  /// - Throws: `YAMLFileError` at the first key that is unknown, missing or of another type.
  public func check(_ type: YAMLType) throws(YAMLFileError) { try check(type, of: nil) }

  /// - Parameter key: the key of the value, or of the list or mapping around it.
  private func check(_ type: YAMLType, of key: YAMLKey?) throws(YAMLFileError) {
    switch type {
    case .list(let element):
      guard case .list(let list) = content else { throw mismatch(type, key) }
      for entry in list { try entry.check(element, of: key) }
    case .dictionary(let element):
      guard case .mapping(let pairs) = content else { throw mismatch(type, key) }
      for (_, value) in pairs { try value.check(element, of: key) }
    case .mapping(let shape): try check(shape, of: key)
    case .line: try checkLine(key)
    case .either(let types): try check(either: types, type, key)
    case .integer, .number:
      guard isScalar(type) else { throw mismatch(type, key) }
      if let problem = leadingZeroProblem { throw problem }
    default: if !isScalar(type) { throw mismatch(type, key) }
    }
  }

  /// The error for `010`, which is 10 in YAML 1.2 and 8 in YAML 1.1 and C; nil for other values.
  public var leadingZeroProblem: YAMLFileError? {
    guard case .scalar(let text, isQuoted: false) = content else { return nil }
    let sign = text.first.map { "+-".contains($0) } == true ? text.prefix(1) : ""
    let digits = text.dropFirst(sign.count)
    guard digits.count > 1, digits.first == "0", digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let decimal = UInt64(digits)
    else { return nil }
    let octal = UInt64(digits, radix: 8).flatMap { $0 == decimal ? nil : ", or \(sign)\($0) if it is octal" } ?? ""
    return error("\(text) begins with 0: write \(sign)\(decimal)\(octal)")
  }

  /// A line break in a title would start a new line where the title is printed.
  private func checkLine(_ key: YAMLKey?) throws(YAMLFileError) {
    guard let text else { throw mismatch(.line, key) }
    guard let scalar = text.unicodeScalars.first(where: { !$0.isPlain }) else { return }
    throw error(
      "\"\(text.cut(to: 40))\" contains the control character U+\(scalar.number); write it as one line of visible text")
  }

  private func check(_ shape: YAMLShape, of key: YAMLKey?) throws(YAMLFileError) {
    guard case .mapping(let pairs) = content else { throw mismatch(.mapping(shape), key) }
    for (key, value) in pairs {
      guard let name = key.text else { throw key.error("a key of \(shape.name) is a word") }
      guard let known = shape.keys.first(where: { $0.name == name }) else { throw unknown(key, name, in: shape) }
      try value.check(known.type, of: known)
    }
    for key in shape.keys where key.isRequired && self[key.name] == nil {
      let example = key.example.map { " Write \(key.name): \($0), for example." } ?? ""
      throw error("\(shape.name) has no \"\(key.name)\": \(key.meaning)\(example)")
    }
  }

  private func unknown(_ key: YAMLValue, _ name: String, in shape: YAMLShape) -> YAMLFileError {
    if let problem = punctuationProblem(at: key) { return problem }
    let names = shape.keys.map(\.name)
    let known = name == "<<" ? "there are no merge keys: write the keys out" : shape.foreignKeys[YAMLKey.lookedUp(name)]
    let near = Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
    let advice = known ?? near ?? nameAdvice(name, names) ?? "it has \(names.joined(separator: ", "))"
    return key.error("unknown key \"\(name)\" in \(shape.name); \(advice)")
  }

  /// Advice for `- HELLO:` and `- speed: f32`, which have the name of the entry in place of its key "name".
  private func nameAdvice(_ name: String, _ names: [String]) -> String? {
    guard names.contains("name"), self["name"] == nil, pairs.first?.key == name else { return nil }
    return "if that is its name, write \"name: \(name)\""
  }

  /// The error for a key that results from a comma or colon with another meaning than intended; nil for other keys.
  public func punctuationProblem(at key: YAMLValue) -> YAMLFileError? {
    commaProblem(at: key) ?? colonProblem(at: key)
  }

  /// `{name:level}` has a key "name:level" without a value.
  private func colonProblem(at key: YAMLValue) -> YAMLFileError? {
    guard case .mapping(let pairs) = content,
      let pair = pairs.first(where: { $0.key.line == key.line && $0.key.column == key.column }),
      case .scalar("", isQuoted: false) = pair.value.content,
      case .scalar(let text, isQuoted: false) = key.content, let colon = text.firstIndex(of: ":")
    else { return nil }
    let (name, value) = (text[..<colon], text[text.index(after: colon)...])
    return key.error("a space follows the colon of a key: write \"\(name): \(value)\"")
  }

  /// In braces a comma ends a text without quotes, so `{meaning: up, down}` has a key "down" without a value.
  private func commaProblem(at key: YAMLValue) -> YAMLFileError? {
    guard case .mapping(let pairs) = content,
      let place = pairs.firstIndex(where: { $0.key.line == key.line && $0.key.column == key.column }), place > 0,
      // Without braces each key is on its own line.
      pairs[place - 1].value.line == key.line,
      case .scalar("", isQuoted: false) = pairs[place].value.content,
      case .scalar(let begun, isQuoted: false) = pairs[place - 1].value.content, !begun.isEmpty
    else { return nil }
    let (before, rest) = (pairs[place - 1].key.text ?? "", key.text ?? "")
    // "0,01" is a number; "0, 1" continues a text.
    let isNext = pairs[place - 1].value.column + begun.unicodeScalars.count + 1 == key.column
    if isNext, Int(begun) != nil, rest.first?.isNumber == true {
      return pairs[place - 1].value.error(
        "a number has a decimal point and no comma: write \"\(before): \(begun).\(rest)\"")
    }
    return key.error(
      "a comma within braces ends the text before it; put the text in quotes: "
        + "\(before): \(Escaping.yamlQuoted("\(begun), \(rest)"))")
  }

  /// Uses the first type whose form fits, with its own error.
  private func check(either types: [YAMLType], _ whole: YAMLType, _ key: YAMLKey?) throws(YAMLFileError) {
    for type in types where hasForm(of: type) { return try check(type, of: key) }
    throw mismatch(whole, key)
  }

  private func hasForm(of type: YAMLType) -> Bool {
    switch (type, content) {
    case (.mapping, .mapping), (.dictionary, .mapping): return true
    case (.list(let element), .list(let list)): return list.allSatisfy { $0.hasForm(of: element) }
    case (.either(let types), _): return types.contains { hasForm(of: $0) }
    default: return isScalar(type)
    }
  }

  /// Whether it is a scalar of this type.
  func isScalar(_ type: YAMLType) -> Bool {
    switch type {
    case .text, .line: text != nil
    case .integer: integer != nil
    case .number: number != nil
    case .flag: flag != nil
    case .time: time != nil
    case .hex: bytes != nil
    case .oneOf(let words): text.map(words.contains) ?? false
    default: false
    }
  }

  private func mismatch(_ type: YAMLType, _ key: YAMLKey?) -> YAMLFileError {
    let found =
      switch content {
      case .scalar("", isQuoted: false): "nothing"
      case .scalar(let text, _): "\"\(text)\""
      case .list: "a list"
      case .mapping: "a mapping"
      }
    let word: String? = text.flatMap { key?.foreignValues[YAMLKey.lookedUp($0)] }
    let advice: String? = word ?? advice(for: type) ?? YAMLValue.example(of: key, type)
    let start = key.map { "\"\($0.name)\": " } ?? ""
    return error("\(start)expected \(type.words), found \(found)\(advice.map { "; \($0)" } ?? "")")
  }
}

extension YAMLValue {
  /// An example of the key's value; for a whole file, its first key.
  private static func example(of key: YAMLKey?, _ type: YAMLType) -> String? {
    if let key { return key.example.map { "for example \(key.name): \($0)" } }
    guard case .mapping(let shape) = type, let first = shape.keys.first(where: \.isRequired) else { return nil }
    return "it begins with \"\(first.name): …\""
  }
}

/// The values by type; nil for other types. After a check they have the checked types.
extension YAMLValue {
  /// The value of a key.
  public subscript(key: String) -> YAMLValue? {
    guard case .mapping(let pairs) = content else { return nil }
    // No key is copied here: most of the time to read a folder is spent on the keys of steps.
    for pair in pairs {
      if case .scalar(let text, _) = pair.key.content, text == key { return pair.value }
    }
    return nil
  }

  /// The keys and values of a mapping; empty for anything else.
  public var pairs: [(key: String, value: YAMLValue)] {
    guard case .mapping(let pairs) = content else { return [] }
    return pairs.map { ($0.key.text ?? "", $0.value) }
  }

  /// The entries of a list; a single value is a list of one.
  public var list: [YAMLValue] {
    guard case .list(let list) = content else { return [self] }
    return list
  }

  /// Whether it is a list.
  public var isList: Bool {
    guard case .list = content else { return false }
    return true
  }

  /// A scalar as text.
  public var text: String? {
    guard case .scalar(let text, _) = content else { return nil }
    return text
  }

  /// A whole number.
  public var integer: Int64? {
    guard case .scalar(let text, false) = content else { return nil }
    if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16) }
    return Int64(text)
  }

  /// A whole number from 0 to 2⁶⁴ − 1.
  public var unsigned: UInt64? {
    guard case .scalar(let text, false) = content else { return nil }
    if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16) }
    return UInt64(text)
  }

  /// A number.
  public var number: Double? {
    guard case .scalar(let text, false) = content else { return nil }
    switch text {
    case ".nan", ".NaN", ".NAN": return .nan
    case ".inf", ".Inf", "+.inf": return .infinity
    case "-.inf", "-.Inf": return -.infinity
    default:
      let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }
      return isPlain ? Double(text) : integer.map(Double.init)
    }
  }

  /// True or false.
  public var flag: Bool? {
    guard case .scalar(let text, false) = content else { return nil }
    return text == "true" ? true : text == "false" ? false : nil
  }

  /// A time in ns.
  public var time: Nanoseconds? { text.flatMap { try? Interval(parsing: $0).nanoseconds } }

  /// Bytes written as hexadecimal digits; empty for `""`.
  public var bytes: [UInt8]? { text.flatMap { Hex.bytes($0) } }
}
