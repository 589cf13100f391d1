import TelecapConformance
import TelecapWire

/// Reads how sessions of a protocol file show.
enum SessionReader {
  static func read(_ value: YAMLValue?, _ layouts: [Layout]) throws(YAMLFileError) -> SessionRules? {
    guard let value else { return nil }
    let closing = try value["closed-by"].map { one throws(YAMLFileError) in try message(one, layouts) }
    let timeout = value["timeout"]?.time
    if value["opens"] != nil {
      if let asked = value["asked-by"] { throw asked.error("a session that any message opens is not asked for") }
      return SessionRules(.anyMessage, closing: closing.map { ($0, nil) }, timeout: timeout)
    }
    guard let asked = value["asked-by"], let answered = value["answered-by"] else {
      throw value.error("\"session\" says neither \"opens\" nor \"asked-by\" with \"answered-by\"")
    }
    let asking = try message(asked, layouts)
    var answers: Set<String> = []
    for one in answered.list { answers.insert(try message(one, layouts)) }
    if let id = value["id"], let layout = layouts.first(where: { $0.name == asking }), layout[id.text ?? ""] == nil {
      throw Spelled.unknown(id, "field of \(asking)", among: layout.fields.map(\.name))
    }
    return SessionRules(
      .answer(.init(asking, id: value["id"]?.text, answers: answers)), closing: closing.map { ($0, value["id"]?.text) },
      timeout: timeout)
  }

  static func message(_ value: YAMLValue, _ layouts: [Layout]) throws(YAMLFileError) -> String {
    guard let name = value.text, layouts.contains(where: { $0.name == name }) else {
      throw Spelled.unknown(value, "message", among: layouts.map(\.name))
    }
    return name
  }
}

/// Reads the streams of a protocol file.
enum StreamReader {
  static func read(_ value: YAMLValue?, _ layouts: [Layout]) throws(YAMLFileError) -> [StreamRules] {
    var streams: [StreamRules] = []
    for entry in value?.list ?? [] {
      let name = try SessionReader.message(entry["message"] ?? entry, layouts)
      guard let layout = layouts.first(where: { $0.name == name }) else { continue }
      for key in ["order", "key", "values"] {
        for field in entry[key]?.list ?? [] where layout[field.text ?? ""] == nil {
          throw Spelled.unknown(field, "field of \(name)", among: layout.fields.map(\.name))
        }
      }
      let range = entry["range"]?.list.compactMap(\.number) ?? []
      if let given = entry["range"], range.count != 2 || range[0] > range[1] {
        throw given.error("range is [smallest, largest]")
      }
      streams.append(
        StreamRules(
          entry["name"]?.text ?? "", of: name,
          order: entry["order"]?.text.map { .sequence($0) } ?? .received,
          key: entry["key"]?.list.compactMap(\.text) ?? [], values: entry["values"]?.list.compactMap(\.text) ?? [],
          merge: entry["merge"]?.text.flatMap(StreamRules.Merge.init) ?? .latest,
          range: range.count == 2 ? range[0]...range[1] : nil, silence: entry["silence"]?.time))
    }
    return streams
  }
}
