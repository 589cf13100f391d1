import TelecapConformance
import TelecapWire

/// Reads the size of a field that a message shows, and when the field is there.
struct PartReader {
  private let entry: YAMLValue
  private let name: String
  private let type: FieldType
  private let counter: FieldRow?
  /// The bytes of an entry of a field that repeats; nil of any other, and where each entry shows its size.
  private let step: Int?
  private let before: [FieldRow]

  /// The result: the length, the padding, the condition, and whether the field is optional.
  struct Read {
    var length: FieldLength?
    var terminator: Terminator?
    var condition: FieldCondition?
    var isOptional = false
  }

  /// A reader of one field, `counter` being the number that says its size.
  init(
    _ entry: YAMLValue, _ name: String, _ type: FieldType, _ counter: FieldRow?, step: Int?, _ before: [FieldRow]
  ) {
    (self.entry, self.name, self.type, self.counter, self.before) = (entry, name, type, counter, before)
    self.step = step
  }

  func read(_ text: String) throws(YAMLFileError) -> Read {
    var read = Read()
    read.length = try length()
    read.terminator = try terminator(text)
    read.condition = try condition()
    read.isOptional = try isOptional()
    guard read.length != nil || read.terminator != nil || read.condition != nil || read.isOptional else {
      return read
    }
    if before.last?.movableAfter ?? 0 >= FieldRow.maxMovable {
      throw entry.at("name").error(
        "a message has at most \(FieldRow.maxMovable) fields whose size it shows or that may be missing")
    }
    return read
  }

  /// A whole number of bytes that a key gives.
  private func number(_ key: String, in range: ClosedRange<Int64>, requires type: String) throws(YAMLFileError) -> Int?
  {
    guard let value = entry[key] else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw value.error(
        "\"\(key)\" is a number of bytes, \(range.lowerBound) to \(range.upperBound), found \(value.text ?? "")")
    }
    return Int(number)
  }

  private func length() throws(YAMLFileError) -> FieldLength? {
    guard let counter else {
      let isOfMessage = entry["is"]?.text == FieldReader.Use.length.rawValue
      if let key = ["less", "words"].first(where: { entry[$0] != nil && !(isOfMessage && $0 == "words") }) {
        throw entry.at(key).error(
          "\"\(key)\" requires \"text in FIELD\" or \"bytes in FIELD\"; \"\(name)\" is \(type.name)")
      }
      return nil
    }
    if entry["repeat"] != nil {
      if let key = ["less", "words"].first(where: { entry[$0] != nil }) {
        throw entry.at(key).error("\"\(key)\" is about bytes, and \"times\" counts entries")
      }
      return FieldLength(counter, step: step ?? 1)
    }
    let less = try number("less", in: 0...Int64(FieldReader.largest), requires: "in") ?? 0
    let step = try number("words", in: 2...64, requires: "in") ?? 1
    return FieldLength(counter, step: step, less: less)
  }

  private func terminator(_ text: String) throws(YAMLFileError) -> Terminator? {
    if let decimals = entry["decimals"], !type.isDecimal {
      throw decimals.error("\"decimals\" requires \"decimal to\"; \"\(name)\" is \(type.name)")
    }
    let end = try TextEnd.terminator(text, entry.at("type"))
    if let padded = entry["padded-to"], end != 0 || type.isDecimal {
      throw padded.error("\"padded-to\" requires \"text to 0\"; \"\(name)\" is \(type.name)")
    }
    guard let end else { return nil }
    return Terminator(end, paddedTo: try number("padded-to", in: 2...64, requires: "text to 0") ?? 1)
  }

  private func isOptional() throws(YAMLFileError) -> Bool {
    let follows = before.last?.isOptional == true
    guard let optional = entry["optional"], optional.flag == true else {
      // The rest after it may be empty.
      if follows, type != .rest {
        throw entry.at("name").error(
          "the message may end before \"\(before.last?.name ?? "")\", and so before \"\(name)\": write \"optional: true\" here too"
        )
      }
      return false
    }
    guard type.size != nil else {
      throw optional.error(
        "\"optional\" is for fields of a fixed size; \"\(name)\" is \(type.name), which may be empty")
    }
    if type.isSlice { throw optional.error("\"optional\" is for fields of whole bytes; \"\(name)\" is \(type.name)") }
    if let when = entry["when"] { throw when.error("\"when\" and \"optional\" cannot be combined") }
    return true
  }

  private func condition() throws(YAMLFileError) -> FieldCondition? {
    guard let when = entry["when"] else { return nil }
    if type.isSlice { throw when.error("\"when\" is for fields of whole bytes; \"\(name)\" is \(type.name)") }
    if counter != nil {
      throw when.error("\"when\" belongs to the number that counts \"\(name)\": without that it is empty")
    }
    guard type != .rest else { throw when.error("\"rest\" may be empty: leave out \"when\"") }
    if type.isDecimal { throw when.error("\"when\" is not for decimal numbers: declare two messages") }
    let numbers = before.filter { $0.type.isWhole && !$0.type.isSigned && $0.scale == nil && !$0.isCut }
    let title = when.at("field")
    guard let row = numbers.first(where: { $0.name == title.text }) else {
      throw title.error(
        "there is no unsigned number \"\(title.text ?? "")\" before it; there are \(numbers.map(\.name).joined(separator: ", "))"
      )
    }
    switch (when["bits"], when["equals"]) {
    case (let bits?, nil):
      guard let mask = bits.unsigned, mask != 0, mask <= row.type.largest else {
        throw bits.error("\"\(row.name)\" is \(row.type.name), which has no bits \(bits.text ?? "")")
      }
      return FieldCondition(row, mask: mask, value: mask)
    case (nil, let equals?):
      return FieldCondition(row, mask: row.type.largest, value: try FieldRules.constant(equals, row))
    case (nil, nil): throw when.error("\"when\" requires \"bits\" or \"equals\"")
    case (_?, let equals?): throw equals.error("\"bits\" and \"equals\" cannot be combined")
    }
  }
}
