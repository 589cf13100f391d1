import TelecapRecording

/// A protocol as a value: its messages, how they are carried and recognised, its ports, sessions and rules. Everything that
/// reads, writes, stores or tests its messages comes from here; the declaration is compiled to flat plans once.
///
/// A class, because the rows of its tables are known by handles. Nothing in it changes once it is made, and it is never
/// freed: protocols are declared, not used up.
public final class WireProtocol: Sendable {
  /// Its name in captures, JSON and ids of requirements: `tele`.
  public let name: String
  /// Its title, in a few words.
  public let title: String
  /// The messages in the order of their declaration, then what nobody defined, then what is none.
  public let messages: [MessageKind]
  /// The messages of its declaration: all but those that stand for payloads which are none of them.
  public let declaredMessages: [MessageKind]
  /// How its messages are carried.
  public let dialects: [Dialect]
  /// The ports by which it is known.
  public let ports: [PortRow]
  /// A payload with its header, and a code that nobody defined; nil where that is no message either.
  public let unknown: MessageKind?
  /// A payload that is no message of it.
  public let malformed: MessageKind
  /// The rules that its messages are held to, in its own words where it has some.
  public let rules: RuleBook
  /// How its sessions show; nil where it has none.
  public let session: SessionRules?
  /// The rules by which receivers apply its messages.
  public let streams: [StreamRules]
  /// The requests that are answered, apart from the one that opens a session.
  public let requests: [RequestRules]
  /// The names of its two sides: `tele-client` and `tele-host` unless declared otherwise.
  public let sideNames: (client: String, host: String)
  /// The text that it was declared by: the file it was read from, or its tables in words.
  public let declaration: String
  /// The file that it was read from; nil if it is declared in code.
  public let file: String?
  private let recognitions: [String: Recognition]

  /// Declares a protocol.
  ///
  /// - Precondition: the declaration fits together: what is named in it exists.
  /// - Parameters:
  ///   - messages: the tables; a message of several forms has several, of one name.
  ///   - recognition: how payloads are read, for each protocol version by its name.
  ///   - sides: the names of its two sides; made from the name of the protocol unless given.
  ///   - declaration: the text that it was read from; nil if it is declared in code.
  ///   - file: the file of that text.
  public init(
    _ name: String, title: String, messages layouts: [Layout], unknown: Layout? = nil, malformed: Layout,
    dialects declarations: [DialectDeclaration], ports: [PortRow], recognition: [String: Recognition],
    rules: RuleBook = RuleBook(), session: SessionRules? = nil, streams: [StreamRules] = [],
    requests: [RequestRules] = [],
    sides: (client: String, host: String)? = nil, declaration: String? = nil, file: String? = nil
  ) {
    self.name = name
    self.title = title
    self.ports = ports
    self.rules = rules
    self.session = session
    self.streams = streams
    self.requests = requests
    sideNames = sides ?? ("\(name)-client", "\(name)-host")
    recognitions = recognition
    self.declaration = declaration ?? WireProtocol.words(layouts, ports)
    self.file = file
    let rows = (layouts + [unknown, malformed].compactMap(\.self)).enumerated().map { place, layout in
      MessageRow(
        layout, place: place, SessionPart(of: layout, session, streams),
        declarations.first { layout.dialects.contains($0.name) }.flatMap { recognition[$0.name] })
    }
    let kinds = rows.map(MessageKind.init)
    messages = kinds
    declaredMessages = Array(kinds.prefix(layouts.count))
    self.unknown = unknown == nil ? nil : kinds[layouts.count]
    self.malformed = kinds[kinds.count - 1]
    let carriages = declarations.enumerated().map { DialectRow($1, place: $0) }
    dialects = carriages.map(Dialect.init)
    let named = Set(declarations.map(\.name))
    precondition(Set(ports.map(\.dialect)).isSubset(of: named), "\(name): a port of an undeclared protocol version")
    precondition(Set(recognition.keys) == named, "\(name): a protocol version without a recognition")
    let owner = Owner(Unmanaged.passRetained(self).takeUnretainedValue())
    for row in rows { row.owner = owner }
    for row in carriages {
      row.owner = owner
      guard let recognition = recognition[row.declaration.name] else { continue }
      row.plan = .passRetained(DecodePlan(recognition, row.declaration, self))
    }
    for row in rows { row.templates = Message.templates(MessageKind(row)) }
  }

  /// The first message of this name; nil where there is none.
  public subscript(name: String) -> MessageKind? { messages.first { $0.name == name } }

  /// The protocol version of the first port of a transport, or of a transport without ports; nil without one.
  public func dialect(over carrier: Carrier) -> Dialect? {
    ports.first { $0.carrier == carrier }.map { dialect($0.dialect) }
      ?? dialects.first { $0.row.declaration.carrier == carrier }
  }

  /// Whether one system uses several transports at once, as the mouse moves over UDP and clicks over TCP. A session that is
  /// requested stays on the transport of its request.
  public var mixesCarriers: Bool {
    if case .answer? = session?.opening { return false }
    return Set(ports.map(\.carrier)).count > 1
  }

  /// The messages of this name: one, or its forms in several protocol versions.
  public func kinds(named name: String) -> [MessageKind] { messages.filter { $0.name == name } }

  /// The message of this table.
  ///
  /// - Precondition: it was declared with it.
  public func kind(_ layout: Layout) -> MessageKind {
    guard let kind = messages.first(where: { $0.layout.isSame(as: layout) }) else {
      preconditionFailure("\(name) was not declared with \(layout.name)")
    }
    return kind
  }

  /// The protocol version of this name.
  ///
  /// - Precondition: there is one.
  public func dialect(_ name: String) -> Dialect {
    guard let dialect = dialects.first(where: { $0.name == name }) else {
      preconditionFailure("\(self.name) has no protocol version \(name)")
    }
    return dialect
  }
}

extension WireProtocol {
  /// How payloads of a protocol version are read.
  ///
  /// - Precondition: it is one of the protocol's.
  public func recognition(over dialect: Dialect) -> Recognition {
    guard let recognition = recognitions[dialect.name] else { preconditionFailure("\(name) has no \(dialect.name)") }
    return recognition
  }

  /// The rule that an unanswered request for a session breaks.
  var unanswered: Rule? {
    asking?.unanswered
  }

  /// The fields of the header, and all checksums, by which a receiver recognises a message, in the order of the checks.
  public var recognisedFields: [String] {
    guard let recognition = dialects.first.flatMap({ recognitions[$0.name] }) else { return [] }
    return (recognition.identity + recognition.constants).map(\.field.name)
      + [recognition.length?.field.name].compactMap(\.self) + checkFields.map(\.name)
      + [recognition.code?.name, recognition.typeText?.name].compactMap(\.self)
  }

  /// The fields that hold checksums, each name once.
  public var checkFields: [FieldRow] {
    messages.flatMap(\.layout.checkFields).reduce(into: []) { all, row in
      if !all.contains(where: { $0.name == row.name }) { all.append(row) }
    }
  }

  /// A fingerprint of the declaration, as 16 hexadecimal digits.
  public var digest: String { FNV1a(declaration).description }

  /// The tables in words, one line per field, for comparing declarations.
  private static func words(_ layouts: [Layout], _ ports: [PortRow]) -> String {
    let messages = layouts.map { layout in
      ([layout.name + (layout.code.map { " \($0)" } ?? "")]
        + layout.fields.map { "  \($0.offset) \($0.name) \($0.type.name) \($0.rule)" }).joined(separator: "\n")
    }
    return (messages + ports.map { "\($0.id) \($0.carrier.name) \($0.standard)" }).joined(separator: "\n")
  }

  /// Whether a field says nothing that the message's type does not: it is always the same, or it is the type.
  public func isImplied(_ field: FieldRow, in kind: MessageKind) -> Bool {
    guard isOfHeader(field, in: kind) else { return false }
    return field.isConstant || namesMessage(field, in: kind)
  }

  /// Whether a field of the header has the code that identifies the message.
  public func namesMessage(_ field: FieldRow, in kind: MessageKind) -> Bool {
    kind.code != nil && isOfHeader(field, in: kind) && field == codeField(of: kind)
  }

  private func isOfHeader(_ field: FieldRow, in kind: MessageKind) -> Bool {
    kind.layout.fields.prefix(kind.layout.headerCount).contains(field)
  }

  /// The field that holds the code of a message.
  func codeField(of kind: MessageKind) -> FieldRow? { kind.recognition?.code }
}
