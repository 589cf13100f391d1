import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// Reads a protocol from a file (`Documentation/protocol-file.md`).
public enum ProtocolFile {
  /// The protocol that `text` declares.
  /// - Parameter file: how errors name it.
  /// - Throws: `YAMLFileError` at the place of the first thing that is wrong.
  public static func read(_ text: String, file: String) throws(YAMLFileError) -> WireProtocol {
    let root = try YAMLValue.read(text, file: file, as: ProtocolShape.file)
    var reader = try Reader(root)
    return try reader.read(text)
  }

  /// What a file's parts have in common while it is read.
  private struct Reader {
    let root: YAMLValue
    let name: String
    let byteOrder: ByteOrder
    let carriers: [Carried]
    let fields: FieldReader
    /// The header's rows, and what they are for.
    var header: [FieldReader.Read] = []
    /// Header fields of which each message says the value.
    var varying: [String: [UInt64]] = [:]

    init(_ root: YAMLValue) throws(YAMLFileError) {
      self.root = root
      let title = root["protocol"] ?? root
      name = title.text ?? ""
      guard name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber) }), name.first?.isLetter == true else {
        throw title.error("\"protocol\": a name is lower-case letters and digits, found \"\(name)\"")
      }
      byteOrder = root["byte-order"]?.text.flatMap(ByteOrder.init) ?? .little
      fields = FieldReader(byteOrder, root["parts"])
      var carriers: [Carried] = []
      for entry in root["carriers"]?.list ?? [] { carriers.append(try Carried(entry, name)) }
      guard !carriers.isEmpty else { throw root.error("\"carriers\" names none") }
      self.carriers = carriers
    }

    mutating func read(_ text: String) throws(YAMLFileError) -> WireProtocol {
      header = try fields.read(root["header"], from: 0, in: "header")
      var layouts: [Layout] = []
      for entry in root["messages"]?.list ?? [] {
        let layout = try message(entry)
        if layouts.contains(where: { $0.name == layout.name }) {
          throw (entry["name"] ?? entry).error("a second message \"\(layout.name)\"")
        }
        layouts.append(layout)
      }
      guard !layouts.isEmpty else { throw root.error("\"messages\" names none") }
      let recognition = try recognition(layouts)
      let session = try SessionReader.read(root["session"], layouts)
      let streams = try StreamReader.read(root["streams"], layouts)
      let source = root["source"]?.text ?? name
      return WireProtocol(
        name, title: root["title"]?.text ?? name, messages: layouts,
        unknown: codeRow == nil
          ? nil
          : bare("UNKNOWN", "a type that nobody defined", header.map(\.row), from: headerSize, source),
        malformed: bare("MALFORMED", "no \(name.uppercased()) message", [], from: 0, source),
        dialects: carriers.map {
          DialectDeclaration($0.name, over: $0.over.name.uppercased(), framing: $0.framing(headerSize))
        },
        ports: carriers.map {
          PortRow(
            $0.id, $0.over, $0.port, dialect: $0.name,
            help: "\($0.over.name.uppercased()) port of \(name.uppercased()) over \($0.name).")
        },
        recognition: Dictionary(uniqueKeysWithValues: carriers.map { ($0.name, recognition) }),
        rules: .named(name, source), session: session, streams: streams, declaration: text)
    }

    private var headerSize: Int { header.map(\.end).max() ?? 0 }
    private var codeRow: FieldRow? { header.first { $0.use == .type }?.row }

    /// What nobody defined, and what is no message: kept as it is.
    private func bare(_ kind: String, _ meaning: String, _ header: [FieldRow], from offset: Int, _ source: String)
      -> Layout
    {
      let body = FieldRow(name: "body", type: .rest, offset: offset, byteOrder: byteOrder)
      return Layout(
        kind, table: "\(name)_\(kind.lowercased())", header: header, rows: [body], meaning, from: .unknown, over: [],
        source: source)
    }

    private mutating func message(_ entry: YAMLValue) throws(YAMLFileError) -> Layout {
      let title = entry["name"] ?? entry
      let kind = title.text ?? ""
      guard !kind.isEmpty, kind.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
        throw title.error("a message's name is letters, digits and _, found \"\(kind)\"")
      }
      if codeRow != nil, entry["type"] == nil { throw entry.error("message \"\(kind)\" has no \"type\"") }
      let rows = try header(of: entry)
      let own = try fields.read(entry["fields"], from: headerSize, in: kind, behind: rows)
      var over = Set(carriers.map(\.name))
      if let named = entry["over"] {
        over = []
        for one in named.list {
          guard let carrier = one.text, carriers.contains(where: { $0.name == carrier }) else {
            throw Spelled.unknown(one, "carrier", among: carriers.map(\.name))
          }
          over.insert(carrier)
        }
      }
      return Layout(
        kind, table: "\(name)_\(kind.lowercased())", code: entry["type"]?.integer.map { UInt64(bitPattern: $0) },
        header: rows, rows: own.map(\.row), entry["meaning"]?.text ?? kind,
        from: entry["from"]?.text == "host" ? .hostToPhone : .phoneToHost, over: over,
        source: entry["source"]?.text ?? root["source"]?.text ?? name)
    }

    /// The header with what is always the same in this message.
    private mutating func header(of entry: YAMLValue) throws(YAMLFileError) -> [FieldRow] {
      var rows = header.map(\.row)
      guard case .mapping(let pairs)? = entry["with"]?.content else { return rows }
      for (key, value) in pairs {
        guard let place = rows.firstIndex(where: { $0.name == key.text }) else {
          throw Spelled.unknown(key, "field of the header", among: rows.map(\.name))
        }
        let bits = try FieldReader.constant(value, rows[place])
        varying[rows[place].name, default: []].append(bits)
        rows[place] = rows[place].held(to: .equal(bits))
      }
      return rows
    }

    private func recognition(_ layouts: [Layout]) throws(YAMLFileError) -> Recognition {
      let own = { (id: String, row: FieldRow) in
        Rule.header("header.\(id)", row, protocolName: name)
      }
      var length: Recognition.Length?
      if let field = header.first(where: { $0.use == .length }) {
        length = .init(field.row, uncounted: field.excluding, own(field.row.name, field.row))
      }
      return Recognition(
        header: headerSize,
        identity: header.filter { $0.use == .identity }.map { .init($0.row, own($0.row.name, $0.row)) },
        code: codeRow,
        unknownCode: Rule.unknownType.stated(in: root["source"]?.text ?? name, requirement: "\(name).header.type"),
        constants: header.filter { $0.use == .constant }.map { .init($0.row, own($0.row.name, $0.row)) },
        length: length,
        checksum: header.first { $0.use == .crc32 }.map {
          .init($0.row, Rule.checksum(named: $0.row.name, protocolName: name))
        })
    }
  }

  /// A carrier of a file.
  private struct Carried {
    let name: String
    let over: Carrier
    let port: UInt16
    let id: String
    private let framed: Bool

    init(_ entry: YAMLValue, _ owner: String) throws(YAMLFileError) {
      name = entry["name"]?.text ?? ""
      over = entry["over"]?.text == "tcp" ? .tcp : .udp
      let number = entry["port"]?.integer ?? 0
      guard let port = UInt16(exactly: number), port > 0 else {
        throw (entry["port"] ?? entry).error("expected a port from 1 to 65535, found \(number)")
      }
      self.port = port
      id = entry["id"]?.text ?? "\(owner)-\(name)"
      framed = entry["framing"]?.text.map { $0 == "length16" } ?? (over == .tcp)
    }

    func framing(_ shortest: Int) -> Framing { framed ? .length16(shortest: shortest) : .none }
  }
}

/// An error about a name that is none.
enum Spelled {
  static func unknown(_ value: YAMLValue, _ what: String, among known: [String]) -> YAMLFileError {
    let name = value.text ?? ""
    let meant = Spelling.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
    return value.error(
      "there is no \(what) \"\(name)\"; \(meant ?? (known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"))"
    )
  }
}
