import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads how sessions of a protocol file show.
enum SessionReader {
  static func read(_ value: YAMLValue?, _ layouts: [Layout]) throws(YAMLFileError) -> SessionRules? {
    guard let value else { return nil }
    if value["opens"] != nil {
      if let other = ["asked-by", "answered-by", "id", "closed-by", "timeout", "keepalive"].first(where: {
        value[$0] != nil
      }) {
        throw value.at(other).error("a session that any message opens has no \"\(other)\"")
      }
      return SessionRules(.anyMessage)
    }
    guard let asked = value["asked-by"], let answered = value["answered-by"] else {
      throw value.error("\"session\" says neither \"opens\" nor \"asked-by\" with \"answered-by\"")
    }
    let asking = try message(asked, layouts, from: .clientToServer)
    var answers: Set<String> = []
    for one in answered.list { answers.insert(try message(one, layouts, from: .serverToClient).name) }
    guard !answers.isEmpty else { throw answered.error("\"answered-by\" names none") }
    let id = try value["id"].map { id throws(YAMLFileError) in
      try named(id, of: asking, "unsigned number") { $0.isWhole && !$0.isSigned }.name
    }
    let closing = try value["closed-by"].map { one throws(YAMLFileError) in
      try message(one, layouts, from: .clientToServer).name
    }
    var keepalive: Set<String> = []
    for one in value["keepalive"]?.list ?? [] {
      keepalive.insert(try message(one, layouts, from: .clientToServer).name)
    }
    let timeout = try time(value["timeout"], ms: 10, s: 86_400)
    if timeout == nil, let useless = value["keepalive"] {
      throw useless.error("\"keepalive\" requires \"timeout\": a session without one needs none")
    }
    return SessionRules(
      .answer(.init(asking.name, id: id, answers: answers)), closing: closing.map { ($0, id) }, timeout: timeout,
      keepalive: keepalive)
  }

  /// The message of a name, sent by this side.
  private static func message(
    _ value: YAMLValue, _ layouts: [Layout], from direction: Direction
  ) throws(YAMLFileError) -> Layout {
    let layout = try message(value, layouts)
    guard layout.direction == direction else {
      throw value.error(
        direction == .serverToClient
          ? "\(layout.name) comes from the client: the host answers"
          : "\(layout.name) comes from the host: the client asks for a session, and ends it")
    }
    return layout
  }

  static func message(_ value: YAMLValue, _ layouts: [Layout]) throws(YAMLFileError) -> Layout {
    guard let name = value.text, let layout = layouts.first(where: { $0.name == name }) else {
      throw Spelled.unknown(value, "message", among: layouts.map(\.name))
    }
    return layout
  }

  /// The field of a name, of a fitting type.
  static func named(
    _ value: YAMLValue, of layout: Layout, _ what: String, where fits: (FieldType) -> Bool
  ) throws(YAMLFileError) -> FieldRow {
    guard let row = layout[value.text ?? ""] else {
      throw Spelled.unknown(value, "field of \(layout.name)", among: layout.fields.map(\.name))
    }
    guard fits(row.type) else { throw value.error("\"\(row.name)\" is \(row.type.name), and no \(what)") }
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

/// Reads the requests of a protocol file.
enum RequestReader {
  static func all(_ value: YAMLValue?, _ layouts: [Layout]) throws(YAMLFileError) -> [RequestRules] {
    var requests: [RequestRules] = []
    for entry in value?.list ?? [] {
      let name = try StreamReader.name(of: entry, "request", besides: requests.map(\.name))
      let message = try SessionReader.message(entry.at("message"), layouts)
      var answers: Set<String> = []
      for one in entry.at("answered-by").list {
        let answer = try SessionReader.message(one, layouts)
        guard answer.direction != message.direction else {
          throw one.error("\(answer.name) comes from the side that sends \(message.name): the other side answers")
        }
        answers.insert(answer.name)
      }
      guard !answers.isEmpty else { throw entry.at("answered-by").error("\"answered-by\" names none") }
      requests.append(
        RequestRules(
          name, message.name, answers: answers,
          timeout: try SessionReader.time(entry["timeout"], ms: 1, s: 3_600) ?? RequestRules.defaultTimeout))
    }
    return requests
  }
}

/// Reads the streams of a protocol file.
struct StreamReader {
  private let layouts: [Layout]
  /// Fields of the header that telecap writes itself.
  private let written: [String: FieldReader.Use]

  init(_ layouts: [Layout], _ header: [FieldReader.Read]) {
    self.layouts = layouts
    let uses = header.compactMap { field in field.use.map { (field.row.name, $0) } }
    written = Dictionary(uses) { first, _ in first }
  }

  func all(_ value: YAMLValue?) throws(YAMLFileError) -> [StreamRules] {
    var streams: [StreamRules] = []
    for entry in value?.list ?? [] {
      streams.append(try stream(entry, StreamReader.name(of: entry, "stream", besides: streams.map(\.name))))
    }
    return streams
  }

  /// The second parts of the ids of requirements that every protocol may have.
  private static let generalNames: Set<String> = ["header", "robust", "session", "host", "client"]

  /// The name of a stream or a request, by which its requirements are called.
  static func name(
    of entry: YAMLValue, _ what: String, besides taken: [String]
  ) throws(YAMLFileError) -> String {
    let name = try Spelled.word(entry["name"], "a \(what)'s name", in: entry)
    if taken.contains(name) { throw entry.at("name").error("there is a \(what) \"\(name)\" already") }
    if generalNames.contains(name) {
      throw entry.at("name").error("a \(what) cannot be called \"\(name)\": requirements of every protocol are")
    }
    return name
  }

  private func stream(_ entry: YAMLValue, _ name: String) throws(YAMLFileError) -> StreamRules {
    let layout = try SessionReader.message(entry.at("message"), layouts)
    var used: [String] = []
    let order = try fields("order", entry, layout, "unsigned number", &used) { $0.isWhole && !$0.isSigned }.first
    let key = try fields("key", entry, layout, "unsigned number", &used) { $0.isWhole && !$0.isSigned }
    let values = try fields("values", entry, layout, "number", &used) { $0.isNumber }
    let merge = entry["merge"]?.text.flatMap(StreamRules.Merge.init) ?? .latest
    if values.count > StreamValues.most, let list = entry["values"] {
      throw list.error("a stream applies at most \(StreamValues.most) values, and this names \(values.count)")
    }
    if values.isEmpty, let other = ["range", "silence"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("\"\(other)\" says what is applied, and \"values\" names nothing")
    }
    if merge == .latest, values.isEmpty, order == nil {
      throw entry.error("nothing tells which \(layout.name) is applied: name its \"order\" or its \"values\"")
    }
    if merge == .sum, values.isEmpty { throw entry.error("\"merge: sum\" adds up what \"values\" names") }
    if merge != .latest, let silence = entry["silence"] {
      throw silence.error("\"silence\" says when a state is 0 again, and what is merged as \(merge.rawValue) is none")
    }
    return StreamRules(
      name, of: layout.name, order: order.map { .sequence($0) } ?? .received, key: key, values: values, merge: merge,
      range: try entry["range"].map { range throws(YAMLFileError) in try FieldRules.range(range) },
      silence: try SessionReader.time(entry["silence"], ms: 1, s: 3_600),
      neutral: try neutral(entry["neutral"], of: layout, besides: (order.map { [$0] } ?? []) + key),
      interval: try SessionReader.time(entry["interval"], ms: 1, s: 3_600), rate: try rate(entry["rate"]))
  }

  private func rate(_ value: YAMLValue?) throws(YAMLFileError) -> Double? {
    guard let value, let rate = value.number else { return nil }
    guard rate >= 0.001, rate <= 1_000_000 else { throw value.error("expected 0.001 to 1000000 a second") }
    return rate
  }

  /// The neutral values of fields: numbers that are neither the order nor a key nor a constant of the stream.
  private func neutral(
    _ value: YAMLValue?, of layout: Layout, besides used: [String]
  ) throws(YAMLFileError) -> [String: Double] {
    var neutral: [String: Double] = [:]
    for (name, number) in value?.pairs ?? [] {
      guard let row = layout[name], row.type.isNumber else {
        let among = layout.fields.filter(\.type.isNumber).map(\.name).joined(separator: ", ")
        throw number.error("\(layout.name) has no number \"\(name)\" that could be neutral; it has \(among)")
      }
      if written[name] != nil || used.contains(name) {
        throw number.error("\"\(name)\" is the order, a key or a constant of the stream: it has no neutral value")
      }
      neutral[name] = try FieldRules.number(number, row)
    }
    return neutral
  }

  /// The fields that stand behind a key, none of which is used for anything else.
  private func fields(
    _ key: String, _ entry: YAMLValue, _ layout: Layout, _ what: String, _ used: inout [String],
    where fits: (FieldType) -> Bool
  ) throws(YAMLFileError) -> [String] {
    var names: [String] = []
    for value in entry[key]?.list ?? [] {
      let row = try SessionReader.named(value, of: layout, what, where: fits)
      if let use = written[row.name] {
        throw value.error("\"\(row.name)\" is the \(use.rawValue) of each message: a stream has no say in it")
      }
      if used.contains(row.name) {
        throw value.error("\"\(row.name)\" stands in the stream twice: it is its order, of its key or a value")
      }
      used.append(row.name)
      names.append(row.name)
    }
    return names
  }
}
