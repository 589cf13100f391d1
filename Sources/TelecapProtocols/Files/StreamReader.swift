import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads the streams of a protocol file.
struct StreamReader {
  private let layouts: [Layout]
  /// A message asks for sessions.
  private let hasSessions: Bool
  /// Fields of the header that telecap writes itself.
  private let written: [String: FieldReader.Use]

  init(_ layouts: [Layout], _ header: [FieldReader.Read], hasSessions: Bool) {
    self.layouts = layouts
    self.hasSessions = hasSessions
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
    let counter = try order(entry["order"], layout, &used)
    let order = counter?.name
    let key = try fields(entry["key"], layout, "unsigned number", &used) { $0.isWhole && !$0.isSigned }
    let values = try fields(entry["values"], layout, "number", &used) { $0.isNumber }
    let merge = entry["merge"]?.text.flatMap(StreamRules.Merge.init) ?? .latest
    if values.count > StreamValues.most, let list = entry["values"] {
      throw list.error("a stream applies at most \(StreamValues.most) values, and this names \(values.count)")
    }
    if values.isEmpty, let other = ["range", "silence"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("\"\(other)\" is about applied values, and there are no \"values\"")
    }
    if merge == .latest, values.isEmpty, order == nil || entry["order"]?["rule"]?.text == "none" {
      throw entry.error("the stream does not define which \(layout.name) is applied: add \"order\" or \"values\"")
    }
    if merge == .sum, values.isEmpty { throw entry.error("\"merge: sum\" adds up what \"values\" names") }
    if merge != .latest, let silence = entry["silence"] {
      throw silence.error(
        "\"silence\" resets a state to 0, and a stream with \"merge: \(merge.rawValue)\" has no state")
    }
    if let value = entry["in-session"], value.flag == true, !hasSessions {
      throw value.error("no message asks for a session: \"in-session\" requires \"session\" with \"asked-by\"")
    }
    return StreamRules(
      name, of: layout.name, also: try also(entry["also"], layout, order, used),
      order: order.map { .sequence($0) } ?? .received, orderRule: try rule(entry["order"], counter, merge), key: key,
      values: values, merge: merge,
      range: try entry["range"].map { range throws(YAMLFileError) in try FieldRules.range(range) },
      silence: try SessionReader.time(entry["silence"], ms: 1, s: 3_600), inSession: entry["in-session"]?.flag == true,
      notFinite: try notFinite(entry, merge),
      neutral: try neutral(entry["neutral"], of: layout, besides: (order.map { [$0] } ?? []) + key),
      interval: try SessionReader.time(entry["interval"], ms: 1, s: 3_600), rate: try rate(entry["rate"]))
  }

  /// How a receiver may handle NaN and ∞.
  private func notFinite(
    _ entry: YAMLValue, _ merge: StreamRules.Merge
  ) throws(YAMLFileError) -> StreamRules.NotFinite {
    guard let value = entry["not-finite"] else { return .dropped }
    switch value.text {
    case "clamped-or-dropped":
      guard entry["range"] != nil else {
        throw value.error("\"clamped-or-dropped\" requires \"range\", to which a value is clamped")
      }
      return .clampedOrDropped
    case "any":
      if merge != .latest { throw value.error("\"any\" requires \"merge: latest\": a sum with NaN would stay NaN") }
      // Whether NaN ends a silence would depend on what the receiver made of it.
      if entry["silence"] != nil { throw value.error("\"any\" cannot be combined with \"silence\"") }
      return .any
    default: return .dropped
    }
  }

  /// The other messages that carry a stream, in fields of the same names and types.
  private func also(
    _ value: YAMLValue?, _ layout: Layout, _ order: String?, _ used: [String]
  ) throws(YAMLFileError) -> [String] {
    guard let value else { return [] }
    if order != nil {
      throw value.error("a stream of several messages has no \"order\": nothing says that they have one counter")
    }
    var names: [String] = []
    for one in value.list {
      let other = try SessionReader.message(one, layouts)
      guard other.direction == layout.direction else {
        throw one.error("\(other.name) comes from the other side than \(layout.name)")
      }
      if other.name == layout.name || names.contains(other.name) {
        throw one.error("\(other.name) carries the stream already")
      }
      for field in used where other[field].map({ $0.valueType.isFloat != layout[field]?.valueType.isFloat }) ?? true {
        throw one.error("\(other.name) has no \"\(field)\" of the same kind as \(layout.name)")
      }
      names.append(other.name)
    }
    return names
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
    guard case .mapping(let pairs)? = value?.content else { return neutral }
    for (key, number) in pairs {
      let name = key.text ?? ""
      guard let row = layout[name], row.type.isNumber else {
        let among = layout.fields.filter(\.type.isNumber).map(\.name).joined(separator: ", ")
        throw key.error("\(layout.name) has no number \"\(name)\" that could be neutral; it has \(among)")
      }
      if written[name] != nil || used.contains(name) || row.check != nil {
        throw key.error("\"\(name)\" is the order, a key or a constant of the stream: it has no neutral value")
      }
      neutral[name] = try FieldRules.number(number, row)
    }
    return neutral
  }

  /// The field of the numbers, which is named alone or with their rule; nil where there is none.
  private func order(
    _ value: YAMLValue?, _ layout: Layout, _ used: inout [String]
  ) throws(YAMLFileError) -> FieldRow? {
    guard let value else { return nil }
    let name = try fields(value["field"] ?? value, layout, "unsigned number", &used) {
      $0.isWhole && !$0.isSigned
    }.first
    return name.flatMap { layout[$0] }
  }

  /// How the numbers of a field compare.
  private func rule(
    _ value: YAMLValue?, _ counter: FieldRow?, _ merge: StreamRules.Merge
  ) throws(YAMLFileError) -> OrderRule {
    guard let value, let counter else { return .serial }
    let order = NumberOrder(bits: counter.bitCount)
    var rule = OrderRule(try comparison(value["rule"], restarts: value["restarts"], order))
    if let unused = value["unused"] {
      guard let number = unused.unsigned, number <= order.last else {
        throw unused.error("\"\(counter.name)\" is \(counter.type.name): expected a number from 0 to \(order.last)")
      }
      rule.unused = number
    }
    if rule.comparison == .serial, order.bits == 1 {
      throw value.error(
        "one bit does not show which of two numbers is newer: write {field: \(counter.name), rule: none}")
    }
    rule.appliesDuplicates = value["duplicates"]?.text == "applied"
    if rule.comparison == .none, let duplicates = value["duplicates"] {
      throw duplicates.error("with \"rule: none\" every message is applied as it comes: leave out \"duplicates\"")
    }
    if merge != .latest, rule.comparison != .none, rule != .serial {
      throw value.error(
        "a stream with \"merge: \(merge.rawValue)\" counts each number once: it has \"rule: serial\" or \"rule: none\", and no "
          + "\"unused\" or \"duplicates\"")
    }
    return rule
  }

  private func comparison(
    _ value: YAMLValue?, restarts: YAMLValue?, _ order: NumberOrder
  ) throws(YAMLFileError) -> OrderRule.Comparison {
    if let restarts {
      guard value?.text == "greater" else { throw restarts.error("\"restarts\" requires \"rule: greater\"") }
      return try restarting(restarts, order)
    }
    guard let window = value?["window"] else {
      return value?.text == "greater" ? .greater : value?.text == "none" ? .none : .serial
    }
    let half = order.last / 2 + 1
    guard let size = window.unsigned, size >= 1, size <= half else {
      throw window.error("a window of numbers of \(order.bits) bits has 1 to \(half)")
    }
    return .window(size: size, wraps: value?["wraps"]?.flag ?? true)
  }

  private func restarting(
    _ value: YAMLValue, _ order: NumberOrder
  ) throws(YAMLFileError) -> OrderRule.Comparison {
    guard let from = value["from"]?.unsigned, let to = value["to"]?.unsigned, to < from, from <= order.last else {
      throw value.error(
        "numbers of \(order.bits) bits restart from one of 1 to \(order.last) to a smaller one: {from: \(order.last), to: 0}"
      )
    }
    return .restarting(from: from, to: to)
  }

  /// The fields that a key names, none of which has another use.
  private func fields(
    _ value: YAMLValue?, _ layout: Layout, _ what: String, _ used: inout [String], where fits: (FieldType) -> Bool
  ) throws(YAMLFileError) -> [String] {
    var names: [String] = []
    for value in value?.list ?? [] {
      let row = try SessionReader.named(value, of: layout, what, where: fits)
      if let use = written[row.name] {
        throw value.error("\"\(row.name)\" is the \(use.rawValue) of each message: a stream cannot use it")
      }
      if row.check != nil {
        throw value.error("\"\(row.name)\" is a checksum of each message: a stream cannot use it")
      }
      if used.contains(row.name) {
        throw value.error("\"\(row.name)\" is in the stream twice: a field is its order, of its key or a value")
      }
      used.append(row.name)
      names.append(row.name)
    }
    return names
  }
}
