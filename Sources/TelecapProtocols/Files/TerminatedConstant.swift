import TelecapConformance
import TelecapWire

/// A text that ends with 0 and is always the same, such as the type tags of OSC: with its zeros it has a fixed size.
struct TerminatedConstant {
  let type: FieldType
  private let value: YAMLValue

  /// The field of an entry whose type is `declared` and that begins at `offset`; nil where it is no such text.
  /// - Throws: `YAMLFileError` where its size is not the same in each message.
  init?(
    _ entry: YAMLValue, _ name: String, _ declared: FieldType, _ offset: Int, _ before: [FieldRow]
  ) throws(YAMLFileError) {
    guard declared == .variableText, let value = entry["equals"] else { return nil }
    if let end = entry["type"]?.text, end != "text to 0" {
      throw value.error(
        "\"\(name)\" is a text that is always the same: write \"text N\" with the character that ends it")
    }
    if let other = ["when", "optional"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error(
        "\"\(name)\" is a text that is always the same: write \"text N\" to combine it with \"\(other)\"")
    }
    guard (before.last?.movableAfter ?? 0) == 0 else {
      throw value.error(
        "a field before \"\(name)\" has no fixed size, so its zeros cannot be counted here: write \"text N\"")
    }
    let size = TerminatedConstant.size(of: value.text ?? "", at: offset, padding: try TerminatedConstant.padding(entry))
    if size > 8, let use = entry["is"] {
      throw use.error("\"\(name)\" has \(size) bytes with its zeros; such a constant of the header has at most 8 bytes")
    }
    type = .text(size)
    self.value = value
  }

  /// The rule that holds it to its text.
  func rule(_ row: FieldRow) throws(YAMLFileError) -> FieldRule {
    try FieldRules.constantText(value, row, isPadded: true)
  }

  /// The bytes of a text that begins at an offset, with at least one 0 and those up to a multiple of `padding` bytes.
  static func size(of text: String, at offset: Int, padding: Int) -> Int {
    (offset + text.utf8.count + padding) / padding * padding - offset
  }

  private static func padding(_ entry: YAMLValue) throws(YAMLFileError) -> Int {
    guard let padded = entry["padded-to"] else { return 1 }
    guard let number = padded.integer, (2...64).contains(number) else {
      throw padded.error("\"padded-to\" is a number of bytes, 2 to 64, found \(padded.text ?? "")")
    }
    return Int(number)
  }
}
