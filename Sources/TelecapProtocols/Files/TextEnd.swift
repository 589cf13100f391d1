import TelecapConformance
import TelecapWire

/// Reads how a text or a decimal number ends: `text to 0`, `decimal to ';'`, `decimal to end`.
enum TextEnd {
  /// The end in the words of a type; nil where they name none.
  ///
  /// - Throws: `YAMLFileError` where the end is none that the type can have.
  static func type(_ text: String, _ entry: YAMLValue, _ value: YAMLValue) throws(YAMLFileError) -> FieldType? {
    guard let (word, end) = words(text) else {
      guard text.lowercased().hasPrefix("decimal") else { return nil }
      throw value.error(
        "a decimal number ends with a character or with the message: write \"decimal to ';'\" or \"decimal to end\"")
    }
    guard word == "decimal" else {
      if end == "end" { throw value.error("text that takes all that is left is \"rest\"") }
      guard try byte(end, value) != nil else {
        throw value.error("\"\(text)\": write \"text to 0\", or the character that ends it in quotes, \"text to ';'\"")
      }
      return .variableText
    }
    let places = try places(entry)
    if end == "end" { return .decimal(places: places) }
    guard let byte = try byte(end, value) else {
      throw value.error(
        "\"\(text)\": write the character that ends it in quotes, \"decimal to ';'\", or as a byte, \"decimal to 0x0a\", or \"decimal to end\""
      )
    }
    if "0123456789+-.".utf8.contains(byte) {
      throw value.error("\(end) may be a part of a number, and cannot end it")
    }
    return .decimal(places: places)
  }

  /// The byte that ends a field of these words; nil where none does.
  static func terminator(_ text: String, _ value: YAMLValue) throws(YAMLFileError) -> UInt8? {
    guard let (_, end) = words(text), end != "end" else { return nil }
    return try byte(end, value)
  }

  /// `text` and `';'` of `text to ';'`.
  private static func words(_ text: String) -> (word: String, end: String)? {
    for word in ["text", "decimal"] where text.hasPrefix("\(word) to ") {
      return (word, String(text.dropFirst("\(word) to ".count)))
    }
    return nil
  }

  /// `0`, `';'` and `0x0d` as a byte; nil of anything else.
  private static func byte(_ end: String, _ value: YAMLValue) throws(YAMLFileError) -> UInt8? {
    if end == "0" { return 0 }
    let digits = end.dropFirst(2)
    if end.hasPrefix("0x") { return digits.allSatisfy(\.isHexDigit) ? UInt8(digits, radix: 16) : nil }
    let isQuoted =
      end.utf8.count == 3 && (end.hasPrefix("'") && end.hasSuffix("'") || end.hasPrefix("\"") && end.hasSuffix("\""))
    guard isQuoted else { return nil }
    return Array(end.utf8)[1]
  }

  private static func places(_ entry: YAMLValue) throws(YAMLFileError) -> Int {
    guard let places = entry["decimals"] else { return 0 }
    guard let number = places.integer, (0...Int64(FieldType.mostPlaces)).contains(number) else {
      throw places.error("\"decimals\" is a number of digits, 0 to \(FieldType.mostPlaces), found \(places.text ?? "")")
    }
    return Int(number)
  }
}
