import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads the messages of a protocol file.
struct MessageReader {
  /// The protocol's name.
  let owner: String
  /// The text that the file was made from.
  let source: String
  let carriers: [String]
  /// The kinds of these transports.
  let transports: [Carrier]
  let header: [FieldReader.Read]
  let fields: FieldReader

  /// A message that was read.
  struct Read {
    let layout: Layout
    /// It has no header, though others have one.
    let isBare: Bool
    /// Its entry in the file.
    let entry: YAMLValue
  }

  private var code: FieldReader.Read? { header.first { $0.use == .type } }
  /// The field of the header that has the type as a text.
  private var textType: FieldReader.Read? { code.flatMap { $0.row.type.isText ? $0 : nil } }

  /// The messages of a file, each of which can be distinguished from the others.
  func all(_ root: YAMLValue) throws(YAMLFileError) -> [Read] {
    var messages: [Read] = []
    for entry in root["messages"]?.list ?? [] {
      let layout = try message(entry)
      for other in messages.map(\.layout) where other.table == layout.table {
        guard other.name == layout.name else {
          throw entry.at("name").error(
            "\"\(layout.name)\" and \"\(other.name)\" differ only in case, which captures ignore: give it another name")
        }
        try checkForms(other, layout, entry)
      }
      if let other = messages.first(where: { isTheSame($0.layout, layout) })?.layout {
        throw entry.at("name").error("\(layout.name) cannot be distinguished from \(other.name): \(remedy)")
      }
      messages.append(Read(layout: layout, isBare: entry["bare"]?.flag == true, entry: entry))
    }
    guard !messages.isEmpty else { throw root.at("messages").error("\"messages\" is empty") }
    try checkTables(messages)
    return messages
  }

  /// No two tables of a capture have one name: those of messages, and those of entries.
  private func checkTables(_ messages: [Read]) throws(YAMLFileError) {
    var owners: [String: String] = [:]
    for layout in messages.map(\.layout) { owners[layout.table] = layout.name }
    for message in messages {
      for field in message.layout.fields {
        guard let table = field.repeated?.entry.table else { continue }
        let own = "\(message.layout.name).\(field.name)"
        if let other = owners.updateValue(own, forKey: table), other != own {
          throw message.entry.at("name").error(
            "\"\(own)\" and \"\(other)\" would share the table \(table) of captures: give the field another name")
        }
      }
    }
  }

  /// Two messages of one name are forms of one: of one type and sender, and with fields that share the columns of captures.
  private func checkForms(_ one: Layout, _ other: Layout, _ entry: YAMLValue) throws(YAMLFileError) {
    guard one.code == other.code, one.typeText?.type == other.typeText?.type, one.direction == other.direction,
      !isTheSame(one, other)
    else {
      throw entry.at("name").error("there is a message \"\(other.name)\" already")
    }
    for row in other.fields {
      guard let known = one[row.name] else { continue }
      if known.type.name == row.type.name, known.scale == row.scale, known.repeated == row.repeated { continue }
      throw entry.at("name").error(
        "\"\(row.name)\" is \(row.typeName), and \(known.typeName) in the other form of \(one.name)")
    }
  }

  /// Whether some payload could be either.
  private func isTheSame(_ one: Layout, _ other: Layout) -> Bool {
    guard !one.dialects.isDisjoint(with: other.dialects), one.code == other.code else { return false }
    guard (one.typeText == nil) == (other.typeText == nil) else { return false }
    if let text = one.typeText, let another = other.typeText, text != another { return text.isAmbiguous(with: another) }
    let isIdentical = header.filter { $0.use == .identity }.allSatisfy {
      one[$0.row.name]?.rule == other[$0.row.name]?.rule
    }
    let haveSizes = one.isFixedSize && other.isFixedSize
    return isIdentical && !(haveSizes && one.fixedSize != other.fixedSize)
  }

  /// The advice to distinguish two messages.
  private var remedy: String {
    let ways = [
      code == nil ? nil : "another \"type\"",
      header.contains { $0.use == .identity } ? "another identity in \"with\"" : nil, "another fixed size",
    ].compactMap(\.self)
    let hint = code == nil ? "; best is a field of the header that \"is: type\"" : ""
    return "give it \(ways.joined(separator: " or "))\(hint)"
  }

  private func message(_ entry: YAMLValue) throws(YAMLFileError) -> Layout {
    let title = entry.at("name")
    let kind = title.text ?? ""
    guard MessageReader.isName(kind) else {
      let likely = kind.replacing(" ", with: "_").replacing("-", with: "_")
      throw title.error(
        "a message's name is letters, digits and _, found \"\(kind)\""
          + Spelled.suggestion(MessageReader.isName(likely) ? likely : nil))
    }
    if ["unknown", "malformed"].contains(kind.lowercased()) {
      throw title.error(
        "a message cannot be called \"\(kind)\": captures use this name for payloads that are no message of the protocol"
      )
    }
    let isBare = try isBare(entry)
    let number = isBare ? nil : try number(of: entry, kind)
    let rows = isBare ? [] : try header(of: entry, kind)
    let length = isBare ? nil : header.first { $0.use == .length }?.row.name
    let own = try fields.read(entry["fields"], of: kind, behind: rows, length: length)
    let layout = Layout(
      kind, table: "\(owner)_\(kind.lowercased())", code: number, typeText: isBare ? nil : textType?.row.name,
      header: rows, rows: own.map(\.row),
      entry["meaning"]?.text ?? kind, from: entry["from"]?.text == "host" ? .serverToClient : .clientToServer,
      over: try over(entry["over"]), returnsOver: try transport("both-ways-over", entry),
      usually: try transport("usually-over", entry),
      unitQuaternion: try quaternion(entry["unit-quaternion"], own, kind),
      source: entry["source"]?.text ?? source)
    if !isBare, let length = header.first(where: { $0.use == .length }) { try check(length, layout, title) }
    return layout
  }

  /// The length in the header can count the message.
  private func check(_ length: FieldReader.Read, _ layout: Layout, _ title: YAMLValue) throws(YAMLFileError) {
    let (counted, row) = (max(0, layout.fixedSize - length.excluding), length.row)
    if UInt64((counted + length.step - 1) / length.step) > row.type.largest {
      throw title.error(
        "\(layout.name) has \(layout.fixedSize) bytes, more than its \"\(row.name)\", a \(row.type.name), can count")
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// It has no header, where others have one.
  private func isBare(_ entry: YAMLValue) throws(YAMLFileError) -> Bool {
    guard let bare = entry["bare"], bare.flag == true else { return false }
    guard !header.isEmpty else { throw bare.error("there is no header: \"bare\" has no effect") }
    if let other = ["type", "with"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("\"\(other)\" is about the header, and a bare message has none")
    }
    return true
  }

  /// The kind of a transport of the file.
  private func transport(_ key: String, _ entry: YAMLValue) throws(YAMLFileError) -> Carrier? {
    guard let value = entry[key] else { return nil }
    guard let transport = transports.first(where: { $0.name == value.text }) else {
      throw Spelled.unknown(value, "transport", among: transports.map(\.name))
    }
    return transport
  }

  /// Four floats next to one another whose norm is 1.
  private func quaternion(
    _ value: YAMLValue?, _ own: [FieldReader.Read], _ kind: String
  ) throws(YAMLFileError) -> [String] {
    guard let value else { return [] }
    var rows: [FieldRow] = []
    for name in value.list {
      guard let row = own.first(where: { $0.row.name == name.text })?.row else {
        throw Spelled.unknown(name, "field of \(kind)", among: own.map(\.row.name))
      }
      rows.append(row)
    }
    let isRight =
      rows.count == 4
      && rows.enumerated().allSatisfy { place, row in
        row.type == .f32 && row.offset == rows[0].offset + 4 * place && !row.isVariable
      }
    guard isRight else {
      throw value.error("a unit quaternion is four fields of type f32, next to one another, the scalar last")
    }
    return rows.map(\.name)
  }

  /// The number in the header's type field.
  private func number(of entry: YAMLValue, _ kind: String) throws(YAMLFileError) -> UInt64? {
    guard let code else {
      guard let type = entry["type"] else { return nil }
      throw type.error(
        "no field of the header \"is: type\": no field has the number; write \"is: type\" at the one that has it")
    }
    guard let type = entry["type"] else { throw entry.error("message \"\(kind)\" has no \"type\"") }
    if textType != nil { return nil }
    return try FieldRules.constant(type, code.row)
  }

  /// The row of the header that has the type of a message as a text, with its padding.
  private func typeRow(_ row: FieldRow, _ type: YAMLValue) throws(YAMLFileError) -> FieldRow {
    let size =
      row.type.size
      ?? TerminatedConstant.size(of: type.text ?? "", at: row.offset, padding: row.terminator?.step ?? 1)
    var own = FieldRow(
      name: row.name, type: .text(size), offset: row.offset, unit: row.unit, meaning: row.meaning,
      byteOrder: row.byteOrder)
    guard own.end <= FieldReader.largest else {
      throw type.error("the type has \(size) bytes; a message has at most \(FieldReader.largest)")
    }
    own.rule = try FieldRules.constantText(type, own, isPadded: true)
    return own
  }

  /// The header with what is always the same in this message.
  private func header(of entry: YAMLValue, _ kind: String) throws(YAMLFileError) -> [FieldRow] {
    var rows = header.map(\.row)
    if let place = header.firstIndex(where: { $0.use == .type && $0.row.type.isText }) {
      rows[place] = try typeRow(rows[place], entry.at("type"))
    }
    if case .mapping(let pairs)? = entry["with"]?.content {
      for (key, value) in pairs {
        guard let place = rows.firstIndex(where: { $0.name == key.text }) else {
          throw Spelled.unknown(key, "field of the header", among: rows.map(\.name))
        }
        if let use = header[place].use, !use.isFixed {
          throw key.error("\"\(rows[place].name)\" is the \(use.rawValue) of each message: \"with\" cannot hold it")
        }
        let bits = try FieldRules.constant(value, rows[place])
        if case .equal(let always) = rows[place].rule, always != bits {
          throw value.error("the header's \"equals\" gives \"\(rows[place].name)\" another value in every message")
        }
        rows[place] = rows[place].held(to: .equal(bits))
      }
    }
    for (field, row) in zip(header, rows) where field.use?.isFixed == true {
      guard case .equal = row.rule else {
        throw entry.error("\"\(row.name)\" has no value in \(kind): neither \"equals\" nor \"with\" sets one")
      }
    }
    return rows
  }

  private func over(_ value: YAMLValue?) throws(YAMLFileError) -> Set<String> {
    guard let value else { return Set(carriers) }
    var over: Set<String> = []
    for one in value.list {
      guard let carrier = one.text, carriers.contains(carrier) else {
        throw Spelled.unknown(one, "transport", among: carriers)
      }
      over.insert(carrier)
    }
    guard !over.isEmpty else { throw value.error("\"over\" is empty") }
    return over
  }
}
