import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads a protocol from a file (`Documentation/reference/protocol-file.md`).
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

  /// The state that the parts of a file share while it is read.
  private struct Reader {
    let root: YAMLValue
    let name: String
    /// The protocol of this name that is there already; nil where there is none.
    let known: WireProtocol?
    let surroundings: ProtocolSurroundings
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
        let likely = Spelled.likely(name, joinedBy: "_") ?? name
        let bare = likely.replacing("_", with: "")
        throw title.error(
          "\"protocol\": a name is lower-case letters and digits, found \"\(name)\""
            + Spelled.suggestion(Spelled.isColumn(bare) ? bare : nil))
      }
      known = surroundings.protocols.first { [name] in $0.name == name }
      var surroundings = surroundings
      if known != nil {
        surroundings.protocols.removeAll { [name] in $0.name == name }
      } else if surroundings.taken.contains(name) {
        throw title.error("there is a protocol \"\(name)\" already")
      }
      self.surroundings = surroundings
      source = root["source"]?.text ?? name
      byteOrder = root["byte-order"]?.text.flatMap(ByteOrder.init) ?? .little
      carriers = try CarrierReader.all(root, of: name, surroundings)
      fields = FieldReader(
        byteOrder, bits: BitOrder.of(root["bit-order"], or: byteOrder), root["parts"], surroundings, of: name)
      header = try fields.header(root["header"])
    }

    func read(_ text: String) throws(YAMLFileError) -> WireProtocol {
      let own = try declared(text)
      guard let known else { return own }
      guard let difference = ProtocolFacts(known).difference(from: ProtocolFacts(own)) else { return known }
      throw root.at("protocol").error(
        "there is a protocol \"\(name)\" already, and this is another: \(difference); give it another name")
    }

    private func declared(_ text: String) throws(YAMLFileError) -> WireProtocol {
      let transports = Carrier.allCases.filter { transport in
        carriers.contains { carrier in
          carrier.ports.isEmpty ? transport == .ble : carrier.ports.contains { $0.carrier == transport }
        }
      }
      let messages = try MessageReader(
        owner: name, source: source, carriers: carriers.map(\.name), transports: transports, header: header,
        fields: fields
      ).all(root)
      let layouts = messages.map(\.layout)
      let streamed = (root["streams"]?.list ?? []).flatMap {
        [$0["message"]].compactMap(\.self) + ($0["also"]?.list ?? [])
      }
      let session = try SessionReader(
        layouts: layouts, bluetooth: Set(carriers.filter(\.ports.isEmpty).map(\.name)),
        streamed: Set(streamed.compactMap(\.text)), owner: name, source: source
      ).read(root["session"])
      var hasSessions = false
      if case .answer? = session?.opening { hasSessions = true }
      let streams = try StreamReader(layouts, header, hasSessions: hasSessions).all(root["streams"])
      let requests = try RequestReader.all(root["requests"], layouts)
      if let taken = requests.first(where: { request in streams.contains { $0.name == request.name } }) {
        throw root.at("requests").error("a request and a stream have the name \"\(taken.name)\"")
      }
      let sides = try sides(root["sides"])
      let general = recognition
      var carried: [CarriedMessages] = []
      for carrier in carriers { carried.append(try CarriedMessages(carrier, messages, general, byteOrder)) }
      var dialects: [DialectDeclaration] = []
      for one in carried { dialects.append(try dialect(of: one, layouts)) }
      let recognitions = carried.map { ($0.carrier.name, $0.recognition(of: layouts)) }
      let owner = WireProtocol(
        name, title: root["title"]?.text ?? name, messages: layouts,
        unknown: typeRow == nil || dropsUnknown
          ? nil
          : bare(
            "UNKNOWN", "a type that nobody defined", header.map(\.row), from: header.map(\.end).max() ?? 0),
        malformed: bare("MALFORMED", "no \(name.uppercased()) message", [], from: 0),
        dialects: dialects, ports: carriers.flatMap(\.ports),
        recognition: Dictionary(recognitions) { first, _ in first },
        rules: rules(recognitions.map(\.1), layouts, session, streams, client: sides?.client), session: session,
        streams: streams, requests: requests, sides: sides, declaration: text, file: root.file)
      try checkWords(of: messages, owner)
      return owner
    }

    /// The shortest right form of each message has whole words, where its length counts words.
    private func checkWords(of messages: [MessageReader.Read], _ owner: WireProtocol) throws(YAMLFileError) {
      guard let length = header.first(where: { $0.use == .length }), length.step > 1 else { return }
      for message in messages where !message.isBare {
        let size = Message.right(owner.kind(message.layout)).bytes.count
        let counted = max(0, size - length.excluding)
        guard counted % length.step != 0 else { continue }
        throw message.entry.at("name").error(
          "\(message.layout.name) has \(size) bytes, of which \"\(length.row.name)\" counts \(counted): these are no whole "
            + "words of \(length.step) bytes")
      }
    }

    /// The names of the sides, which no side of another protocol has.
    private func sides(_ value: YAMLValue?) throws(YAMLFileError) -> (client: String, host: String)? {
      guard let value else { return nil }
      var names: [String] = []
      for key in ["client", "host"] {
        let name = try Spelled.word(value[key], "a side's name", in: value)
        let other = surroundings.protocols.first { $0.sideNames.client == name || $0.sideNames.host == name }
        if let owner = other?.name ?? (names.contains(name) ? self.name : nil) {
          throw value.at(key).error("there is a side \"\(name)\" already, of \(owner)")
        }
        names.append(name)
      }
      return (names[0], names[1])
    }

    /// A protocol version, whose characteristics no other protocol has.
    private func dialect(of carried: CarriedMessages, _ layouts: [Layout]) throws(YAMLFileError) -> DialectDeclaration {
      let dialect = try carried.dialect(of: layouts)
      for one in dialect.characteristics {
        guard let other = surroundings.protocols.first(where: { Ports.isAttribute(one.uuid, of: [$0]) }) else {
          continue
        }
        throw carried.carrier.entry.at("characteristics").error(
          "the characteristic \(one.uuid) is one of \(other.name) already")
      }
      return dialect
    }

    /// The bytes of the shortest header.
    private var headerSize: Int {
      header.map { read in
        let row = read.row
        return row.terminator.map { TerminatedConstant.size(of: "", at: row.offset, padding: $0.step) + row.offset }
          ?? read.end
      }.max() ?? 0
    }
    private var typeRow: FieldRow? { header.first { $0.use == .type }?.row }
    /// The number that identifies messages, and the text that does.
    private var codeRow: FieldRow? { typeRow.flatMap { $0.type.isText ? nil : $0 } }
    private var textRow: FieldRow? { typeRow.flatMap { $0.type.isText ? $0 : nil } }
    /// A payload of a type that no message has is no message.
    private var dropsUnknown: Bool { header.contains { $0.use == .type && $0.entry["unknown"]?.text == "malformed" } }

    /// An undefined message, or a payload that is no message: its bytes are unchanged.
    private func bare(_ kind: String, _ meaning: String, _ header: [FieldRow], from offset: Int) -> Layout {
      let body = FieldRow(name: "body", type: .rest, offset: offset, byteOrder: byteOrder, after: header.last)
      return Layout(
        kind, table: "\(name)_\(kind.lowercased())", header: header, rows: [body], meaning, from: .unknown, over: [],
        source: source)
    }

    private var recognition: Recognition {
      let own = { (id: String, row: FieldRow) in Rule.header("header.\(id)", row, protocolName: name) }
      let isExact = root["exact"]?.flag == true
      return Recognition(
        header: headerSize,
        identity: header.filter { $0.use == .identity }.map { .init($0.row, own($0.row.name, $0.row)) },
        code: codeRow,
        typeText: textRow,
        unknownCode: (textRow == nil ? Rule.unknownType : .unknownTypeText)
          .stated(in: source, requirement: "\(name).header.\(typeRow?.name ?? "type")"),
        constants: header.filter { $0.use == .constant }.map { .init($0.row, own($0.row.name, $0.row)) },
        isExact: isExact, tooLong: isExact ? Rule.tooLong.stated(in: source) : nil,
        otherForm: Rule.otherForm.stated(in: source),
        length: header.first { $0.use == .length }.map {
          .init($0.row, uncounted: $0.excluding, step: $0.step, own($0.row.name, $0.row))
        })
    }

    /// The rules of the protocol, by its own source; those that need something declared where it is.
    private func rules(
      _ recognitions: [Recognition], _ layouts: [Layout], _ session: SessionRules?, _ streams: [StreamRules],
      client: String?
    ) -> RuleBook {
      var book = RuleBook.named(name, source, streams)
      book.client = client ?? book.client
      book.quaternion = Rule.quaternion(of: layouts.map(\.unitQuaternion), in: source)
      if layouts.contains(where: { !$0.unitQuaternion.isEmpty }) { book.forms.append(book.quaternion) }
      book.forms += recognitions.compactMap(\.otherForm).prefix(1)
      book.lengths = recognitions.compactMap(\.tooLong).prefix(1).map(\.self)
      if case .answer(let asking)? = session?.opening { book.conversations += [asking.unanswered].compactMap(\.self) }
      book.conversations += session?.needed.values.prefix(1).map(\.self) ?? []
      return book
    }
  }
}
