import TelecapConformance
import TelecapText
import TelecapWire

/// Reads the type of a field on the wire.
enum FieldWords {
  /// `u16`, `text 4`, `bytes in count`: the type, and the field that holds the length.
  /// - Parameter before: the fields before it.
  static func type(
    _ text: String, _ value: YAMLValue, of entry: YAMLValue, _ before: [FieldRow]
  ) throws(YAMLFileError) -> (FieldType, FieldRow?) {
    if let type = try TextEnd.type(text, entry, value) { return (type, nil) }
    let words = text.split(separator: " ").map(String.init)
    if words.count == 1, let type = numbers[words[0]] { return (type, nil) }
    if words.isEmpty { throw value.error("\"type\" is empty; there are \(allTypes)") }
    if words == ["rest"] { return (.rest, nil) }
    if words.first == "bits", words.count == 2 {
      guard let count = Int(words[1]), (1...64).contains(count) else {
        throw value.error("\"\(text)\": a field has 1 to 64 bits; more are \"bytes N\"")
      }
      return (.bits(BitSlice(count: count, shift: 0)), nil)
    }
    guard let first = words.first, first == "text" || first == "bytes" else { throw unknown(text, value) }
    if words.count == 3, words[1] == "in", Int(words[2]) == nil {
      let numbers = before.filter { $0.valueType.isWhole && !$0.isRewritten }
      guard let length = numbers.first(where: { $0.name == words[2] }) else {
        throw value.error(
          "there is no number \"\(words[2])\" before it; there are \(numbers.map(\.name).joined(separator: ", "))")
      }
      return (first == "text" ? .variableText : .variableOctets, length)
    }
    if words.count == 3, words[1] == "to" {
      throw value.error("bytes may have any value, and only text ends with a certain byte: write \"text to 0\"")
    }
    guard words.count == 2, let count = Int(words[1]), sizes.contains(count) else {
      throw value.error("\"\(text)\"\(sizeAdvice(first, size(in: words), before))")
    }
    return (first == "text" ? .text(count) : .octets(count), nil)
  }

  /// The word that may be meant as the size of text or bytes.
  private static func size(in words: [String]) -> String {
    words.dropFirst().first { $0 != "in" && $0 != "to" } ?? ""
  }

  /// The advice for text or bytes whose size is missing, 0, too large, or in another form.
  private static func sizeAdvice(_ first: String, _ given: String, _ before: [FieldRow]) -> String {
    let size = given.filter { !"()[]".contains($0) }
    let bounds = "\(sizes.lowerBound) to \(sizes.upperBound) bytes"
    if let number = Int(size) {
      if sizes.contains(number) { return ": write \"\(first) \(number)\"" }
      let isLarge = number > sizes.upperBound
      return ": a field has \(bounds)\(isLarge ? "; write several fields, or \"rest\" for the last" : "")"
    }
    let isField = before.contains { $0.name == size && $0.valueType.isWhole && !$0.isRewritten }
    if isField { return ": write \"\(first) in \(size)\"" }
    return " has no size: write \"\(first) N\" with \(bounds), or \"\(first) in FIELD\" with the number that counts "
      + "them"
  }

  private static var allTypes: String { ProtocolShape.types.joined(separator: ", ") }

  private static func unknown(_ text: String, _ value: YAMLValue) -> YAMLFileError {
    let first = text.split(separator: " ").first.map(String.init) ?? ""
    if let advice = ForeignTypes.advice(for: text) { return value.error("there is no type \"\(text)\"; \(advice)") }
    let meant = Spelling.nearest(
      to: first, among: numbers.keys.sorted() + ["bits", "text", "bytes", "decimal", "rest"])
    return value.error(
      "there is no type \"\(text)\"; "
        + (meant.map { "did you mean \"\($0)\"?" } ?? "there are \(allTypes)"))
  }

  /// Whether it is the type of a number.
  static func isNumber(_ word: String) -> Bool { numbers[word] != nil }

  private static let sizes = 1...1_024

  private static let numbers: [String: FieldType] = [
    "u8": .u8, "u16": .u16, "u24": .u24, "u32": .u32, "u64": .u64, "i8": .i8, "i16": .i16, "i24": .i24, "i32": .i32,
    "i64": .i64, "f32": .f32, "f64": .f64,
  ]
}

extension FieldType {
  /// Text of a fixed or of any size.
  var isText: Bool {
    switch self {
    case .text, .variableText: true
    default: false
    }
  }

  /// The bits by which the type holds what a file says; nil where it does not hold it.
  func bits(of value: YAMLValue) -> UInt64? {
    guard isWhole else { return nil }
    if let number = value.unsigned { return number <= largest ? number : nil }
    guard let number = value.integer, number >= smallest else { return nil }
    return UInt64(bitPattern: number) & (.max >> UInt64(64 - bitCount))
  }
}
