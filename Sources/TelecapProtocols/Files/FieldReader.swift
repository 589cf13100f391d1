import TelecapConformance
import TelecapText
import TelecapWire

/// Reads the fields of a protocol file: each stands behind the one before it.
struct FieldReader {
  /// What a field of a header is for.
  enum Use: String {
    case identity, constant, type, length, crc32
  }

  /// A field that was read.
  struct Read {
    var row: FieldRow
    var use: Use?
    /// For a length: the bytes that it does not count.
    var excluding = 0
    /// Where the next field begins; nil behind what has no fixed size.
    var end: Int { row.offset + (row.type.size ?? 0) }
  }

  private let byteOrder: ByteOrder
  private let parts: YAMLValue?

  init(_ byteOrder: ByteOrder, _ parts: YAMLValue?) {
    self.byteOrder = byteOrder
    self.parts = parts
  }

  /// The fields of a list.
  /// - Parameters:
  ///   - offset: where the first begins.
  ///   - place: what the list belongs to, for errors.
  ///   - before: fields that stand before the list.
  func read(
    _ list: YAMLValue?, from offset: Int, in place: String, behind before: [FieldRow] = []
  ) throws(YAMLFileError) -> [Read] {
    var result: [Read] = []
    var offset = offset
    for entry in list?.list ?? [] {
      if let part = entry["part"] {
        guard let name = part.text, let fields = parts?[name] else {
          throw Spelled.unknown(part, "part", among: parts?.pairs.map(\.key) ?? [])
        }
        let inner = try read(fields, from: offset, in: place, behind: before + result.map(\.row))
        result += inner
        offset = inner.last?.end ?? offset
        continue
      }
      let field = try field(entry, at: offset, behind: before + result.map(\.row), in: place)
      result.append(field)
      offset = field.end
    }
    return result
  }

  private func field(
    _ entry: YAMLValue, at offset: Int, behind before: [FieldRow], in place: String
  ) throws(YAMLFileError) -> Read {
    guard let title = entry["name"], let name = title.text else { throw entry.error("a field has no \"name\"") }
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
      throw title.error("a field's name is letters, digits and _, found \"\(name)\"")
    }
    if before.contains(where: { $0.name == name }) { throw title.error("\(place) has a second field \"\(name)\"") }
    if let last = before.last, last.type.size == nil {
      throw title.error("\"\(last.name)\" reaches to the end of \(place): nothing can stand behind it")
    }
    if let at = entry["at"], let said = at.integer, said != Int64(offset) {
      throw at.error("\"\(name)\" begins at \(offset), behind what stands before it, and not at \(said)")
    }
    guard let words = entry["type"], let text = words.text else {
      throw entry.error("field \"\(name)\" has no \"type\"")
    }
    let (type, length) = try FieldReader.type(text, words, before)
    var row = FieldRow(
      name: name, type: type, offset: offset, unit: entry["unit"]?.text ?? "", meaning: entry["meaning"]?.text ?? "",
      byteOrder: byteOrder, lengthIn: length)
    row = row.held(to: try rule(entry, row))
    return Read(
      row: row, use: entry["is"]?.text.flatMap(Use.init), excluding: Int(clamping: entry["excluding"]?.integer ?? 0))
  }

  /// `u16`, `text 4`, `bytes in count`.
  private static func type(
    _ text: String, _ value: YAMLValue, _ before: [FieldRow]
  ) throws(YAMLFileError) -> (FieldType, FieldRow?) {
    let words = text.split(separator: " ").map(String.init)
    if words.count == 1, let type = numbers[words[0]] { return (type, nil) }
    if words == ["rest"] { return (.rest, nil) }
    if words.count == 2, let count = Int(words[1]), (1...1_024).contains(count) {
      if words[0] == "text" { return (.text(count), nil) }
      if words[0] == "bytes" { return (.octets(count), nil) }
    }
    if words.count == 3, words[1] == "in", words[0] == "text" || words[0] == "bytes" {
      guard let length = before.first(where: { $0.name == words[2] }), length.type.isNumber else {
        throw value.error(
          "there is no number \"\(words[2])\" before it; there are "
            + before.filter(\.type.isNumber).map(\.name).joined(separator: ", "))
      }
      return (words[0] == "text" ? .variableText : .variableOctets, length)
    }
    let meant = Spelling.nearest(to: words.first ?? "", among: Array(numbers.keys) + ["text", "bytes", "rest"])
    throw value.error(
      "there is no type \"\(text)\"; "
        + (meant.map { "did you mean \"\($0)\"?" } ?? "there are \(ProtocolShape.types.joined(separator: ", "))"))
  }

  private static let numbers: [String: FieldType] = [
    "u8": .u8, "u16": .u16, "u32": .u32, "u64": .u64, "i8": .i8, "i16": .i16, "i32": .i32, "i64": .i64, "f32": .f32,
    "f64": .f64,
  ]

  private static let rules = ["equals", "reserved", "bits", "range", "finite", "codes"]

  private func rule(_ entry: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> FieldRule {
    let given = FieldReader.rules.filter { entry[$0] != nil && entry[$0]?.flag != false }
    if given.count > 1, let second = entry[given[1]] {
      throw second.error("\"\(row.name)\" is held to two rules: \(given.joined(separator: " and "))")
    }
    guard let key = given.first, let value = entry[key] else { return .any }
    if key != "equals", !row.type.isNumber { throw value.error("\"\(key)\" is for numbers; \"\(row.name)\" is none") }
    switch key {
    case "equals": return .equal(try FieldReader.constant(value, row))
    case "reserved": return .reserved
    case "bits": return .bits(UInt64(bitPattern: value.integer ?? 0))
    case "finite": return .finite
    case "range":
      let numbers = value.list.compactMap(\.number)
      guard numbers.count == 2, numbers[0] <= numbers[1] else { throw value.error("range is [smallest, largest]") }
      return .range(numbers[0]...numbers[1])
    default: return .codes(try FieldReader.codes(value))
    }
  }

  private static func codes(_ value: YAMLValue) throws(YAMLFileError) -> [Code] {
    var codes: [Code] = []
    guard case .mapping(let pairs) = value.content else { return codes }
    for (key, name) in pairs {
      guard let number = key.integer, number >= 0 else {
        throw key.error("a code is a number, found \"\(key.text ?? "")\"")
      }
      codes.append(Code(UInt64(number), name.text ?? ""))
    }
    return codes
  }

  /// A number, or up to eight bytes of text, as the bits that stand on the wire.
  static func constant(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> UInt64 {
    if row.type.isNumber, let number = value.integer { return UInt64(bitPattern: number) }
    guard case .text(let size) = row.type, let text = value.text, text.utf8.count == size, size <= 8 else {
      throw value.error("\"\(row.name)\" is \(row.type.name), which cannot be \"\(value.text ?? "this")\"")
    }
    return text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension FieldRow {
  /// The same row, held to another rule.
  func held(to rule: FieldRule) -> FieldRow {
    var row = self
    row.rule = rule
    return row
  }
}
