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
  let header: [FieldReader.Read]
  let fields: FieldReader

  private var code: FieldReader.Read? { header.first { $0.use == .type } }

  /// The messages of a file, each of which can be told from the others.
  func all(_ root: YAMLValue) throws(YAMLFileError) -> [Layout] {
    var layouts: [Layout] = []
    for entry in root["messages"]?.list ?? [] {
      let layout = try message(entry)
      if let other = layouts.first(where: { $0.table == layout.table }) {
        throw entry.at("name").error(
          other.name == layout.name
            ? "there is a message \"\(layout.name)\" already"
            : "captures tell \"\(layout.name)\" from \"\(other.name)\" only by case: give it another name")
      }
      if let other = layouts.first(where: { isTheSame($0, layout) }) {
        throw entry.at("name").error("nothing tells \(layout.name) from \(other.name): \(remedy)")
      }
      layouts.append(layout)
    }
    guard !layouts.isEmpty else { throw root.at("messages").error("\"messages\" names none") }
    return layouts
  }

  /// Whether some payload could be either.
  private func isTheSame(_ one: Layout, _ other: Layout) -> Bool {
    guard !one.dialects.isDisjoint(with: other.dialects), one.code == other.code else { return false }
    let isIdentical = header.filter { $0.use == .identity }.allSatisfy {
      one[$0.row.name]?.rule == other[$0.row.name]?.rule
    }
    let haveSizes = [one, other].allSatisfy { $0.fields.last.map { $0.type.size != nil } ?? true }
    return isIdentical && !(haveSizes && one.fixedSize != other.fixedSize)
  }

  /// What would tell two messages apart.
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
    guard !kind.isEmpty, kind.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
      throw title.error("a message's name is letters, digits and _, found \"\(kind)\"")
    }
    if ["unknown", "malformed"].contains(kind.lowercased()) {
      throw title.error("a message cannot be called \"\(kind)\": captures call so what is no message of the protocol")
    }
    let number = try number(of: entry, kind)
    let rows = try header(of: entry, kind)
    let own = try fields.read(entry["fields"], of: kind, behind: rows)
    let layout = Layout(
      kind, table: "\(owner)_\(kind.lowercased())", code: number, header: rows, rows: own.map(\.row),
      entry["meaning"]?.text ?? kind, from: entry["from"]?.text == "host" ? .serverToClient : .clientToServer,
      over: try over(entry["over"]), source: entry["source"]?.text ?? source)
    if let length = header.first(where: { $0.use == .length }),
      UInt64(max(0, layout.fixedSize - length.excluding)) > length.row.type.largest
    {
      throw title.error(
        "\(kind) has \(layout.fixedSize) bytes, more than its \"\(length.row.name)\", a \(length.row.type.name), can say"
      )
    }
    return layout
  }

  /// The number in the header's type field.
  private func number(of entry: YAMLValue, _ kind: String) throws(YAMLFileError) -> UInt64? {
    guard let code else {
      if let type = entry["type"] { throw type.error("no field of the header \"is: type\": nothing holds the number") }
      return nil
    }
    guard let type = entry["type"] else { throw entry.error("message \"\(kind)\" has no \"type\"") }
    return try FieldRules.constant(type, code.row)
  }

  /// The header with what is always the same in this message.
  private func header(of entry: YAMLValue, _ kind: String) throws(YAMLFileError) -> [FieldRow] {
    var rows = header.map(\.row)
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
          throw value.error("the header's \"equals\" holds \"\(rows[place].name)\" to another value in every message")
        }
        rows[place] = rows[place].held(to: .equal(bits))
      }
    }
    for (field, row) in zip(header, rows) where field.use?.isFixed == true {
      guard case .equal = row.rule else {
        throw entry.error("\"\(row.name)\" has no value in \(kind): neither \"equals\" nor \"with\" says one")
      }
    }
    return rows
  }

  private func over(_ value: YAMLValue?) throws(YAMLFileError) -> Set<String> {
    guard let value else { return Set(carriers) }
    var over: Set<String> = []
    for one in value.list {
      guard let carrier = one.text, carriers.contains(carrier) else {
        throw Spelled.unknown(one, "carrier", among: carriers)
      }
      over.insert(carrier)
    }
    guard !over.isEmpty else { throw value.error("\"over\" names none") }
    return over
  }
}
