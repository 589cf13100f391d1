import TelecapRecording

extension WireProtocol {
  /// How a session is asked for; nil where it begins without being asked for, or there are none.
  public var asking: SessionRules.Asking? {
    guard case .answer(let asking)? = session?.opening else { return nil }
    return asking
  }

  /// The message of this name in the form of a transport; nil if the transport carries none.
  public func kind(named name: String, over carrier: Carrier) -> MessageKind? {
    guard let dialect = dialect(over: carrier) else { return nil }
    return kinds(named: name).first { $0.layout.dialects.contains(dialect.name) }
  }

  /// The request for a session over a transport that does not carry the usual request; nil over all others.
  public func asking(insteadOver carrier: Carrier) -> SessionRules.Instead? {
    guard let asking, let instead = asking.instead, kind(named: asking.message, over: carrier) == nil,
      kind(named: instead.message, over: carrier) != nil
    else { return nil }
    return instead
  }

  /// The first message that answers a request for a session, in the form of a transport.
  public func answer(over carrier: Carrier) -> MessageKind? {
    messages.lazy.filter(\.answers).compactMap { self.kind(named: $0.name, over: carrier) }.first
  }

  /// An answer to a request for a session, in the form of a transport: one that accepts, or has this status. Nil without one.
  public func answer(over carrier: Carrier, status: UInt64?) -> Message? {
    guard let kind = answer(over: carrier) else { return nil }
    var message = Message.right(kind)
    if let field = kind.answerField, let code = status ?? asking?.accepts?.value { message.put(bits: code, field) }
    message.seal()
    return message
  }

  /// The message that closes the session of this id, in the form of a transport; nil if no message closes one.
  public func closing(_ id: UInt64, over carrier: Carrier) -> Message? {
    guard let closing = session?.closing, let kind = kind(named: closing.message, over: carrier) else { return nil }
    var message = Message.right(kind)
    if let row = closing.id.flatMap({ kind.layout[$0] }) { message.put(bits: id, row) }
    message.seal()
    return message
  }

  /// The possible contents of an answer, in the order of its codes: the names of the values of the field that accepts; where no field
  /// does, the names of the messages that answer.
  public var answerWords: [String] {
    guard let asking else { return [] }
    let kinds = messages.filter(\.answers)
    if let field = asking.accepts?.field, let row = kinds.lazy.compactMap({ $0.layout[field] }).first,
      case .codes(let codes) = row.rule
    {
      return codes.map(\.name)
    }
    return kinds.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension MessageKind {
  /// It asks for a session.
  public var asks: Bool { withPart(\.asks) }
  /// It answers what asks for a session.
  public var answers: Bool { withPart(\.answers) }

  /// Whether a valid message of this kind ends a session of this name: only what ends sessions does, and where it holds a name
  /// only with the session's own (TELE, Session rule 6). Whether its sender has that session is for the caller.
  public func closes(_ id: UInt64, in bytes: RawSpan) -> Bool {
    withPart { part in part.closes && (part.id.map { $0.bits(in: bytes) == id } ?? true) }
  }

  /// The name of a session that a message of this kind holds; nil where it holds none.
  public func sessionName(in bytes: RawSpan) -> UInt64? { withPart { $0.id?.bits(in: bytes) } }

  /// The field by which it accepts or refuses a session; nil where it is no answer, or none says so.
  public var answerField: FieldRow? {
    guard answers, let field = owner.asking?.accepts?.field else { return nil }
    return layout[field]
  }

  /// The value by which an answer accepts or refuses; nil where no field says so, or the bytes end before it.
  public func answerCode(in bytes: RawSpan) -> UInt64? {
    answerField?.bits(in: bytes)
  }

  /// Whether a message of this kind is an answer that accepts a request for a session.
  public func accepts(_ bytes: RawSpan) -> Bool {
    guard answers else { return false }
    return owner.asking?.accepts.map { answerCode(in: bytes) == $0.value } ?? true
  }

  /// The name of such a value: `BUSY`; its number where no code has it; the message's own name where no field has codes for
  /// it.
  public func answerWord(of code: UInt64?) -> String {
    guard let code, let field = owner.asking?.accepts?.field else { return name }
    guard case .codes(let codes)? = layout[field]?.rule else { return name }
    return codes.first { UInt64($0.value) == code }?.name ?? "\(code)"
  }
}
