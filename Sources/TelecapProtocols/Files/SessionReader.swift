import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads how sessions of a protocol file show.
struct SessionReader {
  let layouts: [Layout]
  /// The names of the transports over Bluetooth.
  let bluetooth: Set<String>
  /// The messages that carry streams: an answer that is one need not come.
  let streamed: Set<String>
  /// The protocol's name, and the text that the file was made from.
  let owner: String
  let source: String

  func read(_ value: YAMLValue?) throws(YAMLFileError) -> SessionRules? {
    guard let value else { return nil }
    if value["opens"] != nil {
      let others = ProtocolShape.session.keys.map(\.name).filter { $0 != "opens" && $0 != "outside" }
      if let other = others.first(where: { value[$0] != nil }) {
        throw value.at(other).error("a session that any message opens has no \"\(other)\"")
      }
      return SessionRules(.anyMessage, outside: try names(value["outside"]))
    }
    guard let asked = value["asked-by"], let answered = value["answered-by"] else {
      throw value.error("\"session\" has neither \"opens\" nor \"asked-by\" with \"answered-by\"")
    }
    let asking = try asking(asked, answered, value)
    let closing = try value["closed-by"].map { one throws(YAMLFileError) in
      try message(one, from: .clientToServer).name
    }
    var keepalive: Set<String> = []
    for one in value["keepalive"]?.list ?? [] { keepalive.insert(try message(one, from: .clientToServer).name) }
    let timeout = try SessionReader.time(value["timeout"], ms: 10, s: 86_400)
    if timeout == nil, let useless = value["keepalive"] {
      throw useless.error("\"keepalive\" requires \"timeout\": a session without one needs none")
    }
    let outside = try names(value["outside"])
    let needed = try names(value["needed-by"])
    if let both = value["needed-by"]?.list.first(where: { outside.contains($0.text ?? "") }) {
      throw both.error("\(both.text ?? "") is outside sessions: it needs none")
    }
    return SessionRules(
      .answer(asking), closing: closing.map { ($0, asking.id) }, timeout: timeout, keepalive: keepalive,
      outside: outside,
      needed: Dictionary(needed.map { ($0, Rule.outsideSession.stated(in: source)) }) { first, _ in first })
  }

  private func asking(
    _ asked: YAMLValue, _ answered: YAMLValue, _ value: YAMLValue
  ) throws(YAMLFileError) -> SessionRules.Asking {
    let asking = try message(asked, from: .clientToServer)
    var answers: [Layout] = []
    for one in answered.list { answers.append(try message(one, from: .serverToClient)) }
    guard !answers.isEmpty else { throw answered.error("\"answered-by\" is empty") }
    let names = Set(answers.map(\.name))
    let accepts = try accepts(value["accepts"], answers)
    let code = try value["code"].map { code throws(YAMLFileError) in
      try SessionReader.named(code, of: asking, "text") { $0.isText }.name
    }
    if accepts == nil, let other = ["rejects", "clients"].first(where: { value[$0] != nil }) {
      throw value.at(other).error("\"\(other)\" requires \"accepts\": without it each answer opens a session")
    }
    return SessionRules.Asking(
      asking.name,
      id: try value["id"].map { id throws(YAMLFileError) in
        try SessionReader.named(id, of: asking, "unsigned number") { $0.isWhole && !$0.isSigned }.name
      },
      code: code, answers: names, accepts: accepts.map { ($0.field.name, $0.value) },
      rejects: try rejects(value["rejects"], accepts, hasCode: code != nil), clients: try clients(value["clients"]),
      unanswered: names.isDisjoint(with: streamed)
        ? Rule.unanswered.stated(in: source, requirement: "\(owner).session.answer") : nil,
      instead: try value["instead"].map { value throws(YAMLFileError) in try instead(value, of: asking) })
  }

  /// The field of an answer that says whether there is a session, and the value by which there is.
  private func accepts(
    _ value: YAMLValue?, _ answers: [Layout]
  ) throws(YAMLFileError) -> (field: FieldRow, value: UInt64)? {
    guard let value, case .mapping(let pairs) = value.content else { return nil }
    guard let pair = pairs.first, pairs.count == 1 else {
      throw value.error("\"accepts\" names one field of the answer and its value, such as {status: 0}")
    }
    var row: FieldRow?
    for answer in layouts where answers.contains(where: { $0.name == answer.name }) {
      row = try SessionReader.named(pair.key, of: answer, "unsigned number") { $0.isWhole && !$0.isSigned }
    }
    guard let row else { return nil }
    return (row, try status(pair.value, of: row))
  }

  /// A value of the field of an answer that says whether there is a session: a number, or the name of a code.
  private func status(_ value: YAMLValue, of row: FieldRow) throws(YAMLFileError) -> UInt64 {
    guard case .codes(let codes) = row.rule else { return try FieldRules.constant(value, row) }
    if let code = try value.code(of: row) { return code }
    guard let code = codes.first(where: { $0.value == value.unsigned }) else {
      throw Spelled.unknown(value, "code of \"\(row.name)\"", among: codes.map(\.name))
    }
    return code.value
  }

  /// The values by which an answer rejects: others than the one that accepts, and one for each reason.
  private func rejects(
    _ value: YAMLValue?, _ accepts: (field: FieldRow, value: UInt64)?, hasCode: Bool
  ) throws(YAMLFileError) -> SessionRules.Rejections {
    guard let value, let accepts else { return .init() }
    if !hasCode, let code = value["code"] {
      throw code.error("no request has a wrong code: the session declares no \"code\"")
    }
    var taken = [accepts.value]
    func status(_ key: String) throws(YAMLFileError) -> UInt64? {
      guard let entry = value[key] else { return nil }
      let status = try self.status(entry, of: accepts.field)
      guard !taken.contains(status) else {
        throw entry.error("\"\(entry.text ?? "")\" has another meaning of \"\(accepts.field.name)\" already")
      }
      taken.append(status)
      return status
    }
    return .init(code: try status("code"), busy: try status("busy"))
  }

  private func clients(_ value: YAMLValue?) throws(YAMLFileError) -> Int? {
    guard let value, let number = value.integer else { return nil }
    guard (1...1_000).contains(number) else { throw value.error("expected 1 to 1000 clients, found \(number)") }
    return Int(number)
  }

  /// How a session is asked for over Bluetooth where `asking` is not carried.
  private func instead(_ value: YAMLValue, of asking: Layout) throws(YAMLFileError) -> SessionRules.Instead {
    let asked = try message(value.at("asked-by"), from: .clientToServer)
    let shown = try message(value.at("shown-by"), from: .serverToClient)
    let links = bluetooth.subtracting(asking.dialects)
    guard !links.isDisjoint(with: asked.dialects.intersection(shown.dialects)) else {
      throw value.error(
        "\"instead\" requires a transport over ble that carries \(asked.name) and \(shown.name), but not \(asking.name)"
      )
    }
    guard let interval = try SessionReader.time(value["interval"], ms: 1, s: 3_600) else {
      throw value.error("\"instead\" has no \"interval\"")
    }
    return SessionRules.Instead(asked.name, life: shown.name, every: interval)
  }

  private func names(_ value: YAMLValue?) throws(YAMLFileError) -> Set<String> {
    var names: Set<String> = []
    for one in value?.list ?? [] { names.insert(try SessionReader.message(one, layouts).name) }
    return names
  }

  /// The message of a name, sent by this side.
  private func message(_ value: YAMLValue, from direction: Direction) throws(YAMLFileError) -> Layout {
    let layout = try SessionReader.message(value, layouts)
    guard layout.direction == direction else {
      throw value.error(
        direction == .serverToClient
          ? "\(layout.name) comes from the client: the host answers"
          : "\(layout.name) comes from the host: the client asks for a session, and ends it")
    }
    return layout
  }
}

extension SessionReader {
  static func message(_ value: YAMLValue, _ layouts: [Layout]) throws(YAMLFileError) -> Layout {
    guard let name = value.text, let layout = layouts.first(where: { $0.name == name }) else {
      let names = layouts.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      throw Spelled.unknown(value, "message", among: names)
    }
    return layout
  }

  /// The field of a name, of a fitting type, that each message has.
  static func named(
    _ value: YAMLValue, of layout: Layout, _ what: String, where fits: (FieldType) -> Bool
  ) throws(YAMLFileError) -> FieldRow {
    guard let row = layout[value.text ?? ""] else {
      throw Spelled.unknown(value, "field of \(layout.name)", among: layout.fields.map(\.name))
    }
    guard fits(row.valueType) else {
      throw value.error("\"\(row.name)\" is \(row.type.name)\(row.scale == nil ? "" : ", scaled"), and no \(what)")
    }
    if row.mayBeMissing {
      throw value.error("\"\(row.name)\" may be missing: streams and sessions use fields that are in each message")
    }
    return row
  }

  /// A time of at least so many ms, and at most so many s.
  static func time(_ value: YAMLValue?, ms least: Int64, s most: Int64) throws(YAMLFileError) -> Int64? {
    guard let value, let time = value.time else { return nil }
    guard time >= least * 1_000_000, time <= most * 1_000_000_000 else {
      throw value.error("expected \(least)ms to \(most)s, found \(value.text ?? "")")
    }
    return time
  }
}
