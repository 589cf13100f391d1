import TelecapConformance
import TelecapText
import TelecapWire

/// Reads a field whose bytes are entries of a part: `repeat: PART`, with `times`.
struct RepeatReader {
  /// The number of an entry in captures.
  static let column = "entry"
  /// Keys that a field of an entry cannot have: they are about the message.
  private static let ofMessages = ["is", "check", "optional", "cut-zeros", "repeat"]

  private let entry: YAMLValue
  private let name: String

  init(_ entry: YAMLValue, _ name: String) { (self.entry, self.name) = (entry, name) }

  /// The type of the field, and the number that counts its entries.
  struct Read {
    var type: FieldType
    var counter: FieldRow?
    var repeated: RepeatedPart
  }

  /// Refuses what only a field of a message can be.
  static func check(field: YAMLValue) throws(YAMLFileError) {
    if let key = ofMessages.first(where: { field[$0] != nil }) {
      throw field.at(key).error("\"\(key)\" cannot be in a part that repeats")
    }
    if let type = field["type"]?.text, type == "rest" || type == "decimal to end" {
      throw field.at("type").error("an entry of a part that repeats has to show its end: \"\(type)\" has none")
    }
    if field["name"]?.text == column {
      throw field.at("name").error(
        "a field of a part that repeats cannot be called \"\(column)\": captures use this name for the number of the entry"
      )
    }
  }

  /// - Parameters:
  ///   - layout: the table of an entry.
  ///   - before: the fields of the message before this one.
  func read(_ layout: Layout, _ before: [FieldRow]) throws(YAMLFileError) -> Read {
    if layout.fixedSize == 0 {
      throw entry.at("repeat").error(
        "an entry of \"\(layout.name)\" has no field of a fixed size: give it one, such as a constant text")
    }
    let repeated = RepeatedPart(layout)
    guard let times = entry["times"] else { return Read(type: .rest, repeated: repeated) }
    if let count = times.integer {
      guard let size = repeated.entrySize else {
        throw times.error(
          "the entries of \"\(layout.name)\" differ in size: \"times\" is the name of a number before it")
      }
      let most = Int64(FieldReader.largest / size)
      guard (1...max(1, most)).contains(count) else {
        throw times.error("\"times\" is 1 to \(most) for entries of \(size) bytes, found \(count)")
      }
      return Read(type: .octets(Int(count) * size), repeated: repeated)
    }
    let numbers = before.filter { $0.type.isWhole && !$0.type.isSigned && $0.scale == nil && !$0.isCut }
    guard let counter = numbers.first(where: { $0.name == times.text }) else {
      throw times.error(
        "there is no unsigned number \"\(times.text ?? "")\" before \"\(name)\"; "
          + (numbers.isEmpty ? "none is" : "there are \(numbers.map(\.name).joined(separator: ", "))"))
    }
    return Read(type: .variableOctets, counter: counter, repeated: repeated)
  }
}
