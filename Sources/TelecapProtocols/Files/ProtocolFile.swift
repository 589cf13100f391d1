import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads a protocol from a file (`Documentation/protocol-file.md`).
public enum ProtocolFile {
  /// The protocol that `text` declares.
  /// - Parameters:
  ///   - file: how errors name it.
  ///   - surroundings: what it must get along with.
  /// - Throws: `YAMLFileError` at the place of the first thing that is wrong.
  public static func read(
    _ text: String, file: String, beside surroundings: ProtocolSurroundings = ProtocolSurroundings()
  ) throws(YAMLFileError) -> WireProtocol {
    let root = try YAMLValue.read(text, file: file, as: ProtocolShape.file)
    return try Reader(root, surroundings).read(text)
  }

  /// What a file's parts have in common while it is read.
  private struct Reader {
    let root: YAMLValue
    let name: String
    let source: String
    let byteOrder: ByteOrder
    let carriers: [CarrierReader]
    let fields: FieldReader
    let header: [FieldReader.Read]

    init(_ root: YAMLValue, _ surroundings: ProtocolSurroundings) throws(YAMLFileError) {
      self.root = root
      let title = root.at("protocol")
      name = title.text ?? ""
      guard name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber) }), name.first?.isLetter == true else {
        throw title.error("\"protocol\": a name is lower-case letters and digits, found \"\(name)\"")
      }
      if surroundings.taken.contains(name) || surroundings.protocols.contains(where: { [name] in $0.name == name }) {
        throw title.error("there is a protocol \"\(name)\" already")
      }
      source = root["source"]?.text ?? name
      byteOrder = root["byte-order"]?.text.flatMap(ByteOrder.init) ?? .little
      carriers = try CarrierReader.all(root, of: name, surroundings)
      fields = FieldReader(byteOrder, root["parts"], surroundings)
      header = try fields.header(root["header"])
    }

    func read(_ text: String) throws(YAMLFileError) -> WireProtocol {
      let layouts = try MessageReader(
        owner: name, source: source, carriers: carriers.map(\.name), header: header, fields: fields
      ).all(root)
      let session = try SessionReader.read(root["session"], layouts)
      let streams = try StreamReader(layouts, header).all(root["streams"])
      let requests = try RequestReader.all(root["requests"], layouts)
      if let taken = requests.first(where: { request in streams.contains { $0.name == request.name } }) {
        throw root.at("requests").error("a request and a stream have the name \"\(taken.name)\"")
      }
      let recognition = recognition
      return WireProtocol(
        name, title: root["title"]?.text ?? name, messages: layouts,
        unknown: codeRow == nil
          ? nil : bare("UNKNOWN", "a type that nobody defined", header.map(\.row), from: headerSize),
        malformed: bare("MALFORMED", "no \(name.uppercased()) message", [], from: 0),
        dialects: carriers.map {
          DialectDeclaration($0.name, over: $0.over.name.uppercased(), framing: $0.framing(recognition, layouts))
        },
        ports: carriers.map {
          PortRow(
            $0.id, $0.over, $0.port, dialect: $0.name,
            help: "\($0.over.name.uppercased()) port of \(name.uppercased()) over \($0.name).")
        },
        recognition: Dictionary(carriers.map { ($0.name, recognition) }) { first, _ in first },
        rules: .named(name, source), session: session, streams: streams, requests: requests,
        declaration: text, file: root.file)
    }

    private var headerSize: Int { header.map(\.end).max() ?? 0 }
    private var codeRow: FieldRow? { header.first { $0.use == .type }?.row }

    /// What nobody defined, and what is no message: kept as it is.
    private func bare(_ kind: String, _ meaning: String, _ header: [FieldRow], from offset: Int) -> Layout {
      let body = FieldRow(name: "body", type: .rest, offset: offset, byteOrder: byteOrder)
      return Layout(
        kind, table: "\(name)_\(kind.lowercased())", header: header, rows: [body], meaning, from: .unknown, over: [],
        source: source)
    }

    private var recognition: Recognition {
      let own = { (id: String, row: FieldRow) in Rule.header("header.\(id)", row, protocolName: name) }
      return Recognition(
        header: headerSize,
        identity: header.filter { $0.use == .identity }.map { .init($0.row, own($0.row.name, $0.row)) },
        code: codeRow,
        unknownCode: Rule.unknownType.stated(in: source, requirement: "\(name).header.\(codeRow?.name ?? "type")"),
        constants: header.filter { $0.use == .constant }.map { .init($0.row, own($0.row.name, $0.row)) },
        length: header.first { $0.use == .length }.map {
          .init($0.row, uncounted: $0.excluding, own($0.row.name, $0.row))
        },
        checksum: header.first { $0.use == .crc32 }.map {
          .init($0.row, Rule.checksum(named: $0.row.name, protocolName: name))
        })
    }
  }
}
