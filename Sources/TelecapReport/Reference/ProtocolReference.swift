import TelecapRecording
import TelecapText
import TelecapWire

/// The reference of a protocol, as a page in Markdown, from its declaration: transports, messages with their bytes, sessions,
/// streams, and the rules for invalid messages.
public struct ProtocolReference: Sendable {
  private let protocols: [WireProtocol]

  /// The reference of these protocols.
  public init(_ protocols: [WireProtocol]) { self.protocols = protocols }

  /// The page.
  public var markdown: String {
    let head = [
      "# The protocols", "",
      "Made from the declarations by `ProtocolReferenceTests`, which fails when this page is stale; `TELECAP_RECORD=1` writes it.",
      "Offsets count bytes from the start of the message; after \"&\" are the bits of these bytes that are the field's. The rules in the last table of each protocol are the findings of",
      "`telecap dissect`, with the text that they come from and the requirement of `telecap conform` that tries a program on them.",
    ]
    return (head + protocols.flatMap { section($0) }).joined(separator: "\n") + "\n"
  }

  private func section(_ owner: WireProtocol) -> [String] {
    let messages = owner.messages.filter { $0 != owner.malformed && $0 != owner.unknown }
    return ["", "## \(owner.title.capitalisedFirst) (`\(owner.name)`)", ""] + carriers(owner) + sessions(owner)
      + messages.flatMap { message($0, of: owner) } + session(owner) + requests(owner) + streams(owner) + rules(owner)
  }

  // MARK: - Carriers and sessions

  private func carriers(_ owner: WireProtocol) -> [String] {
    var rows = owner.dialects.map { dialect in
      let ports = owner.ports.filter { $0.dialect == dialect.name }.map {
        "\($0.carrier.name.uppercased()) \($0.standard)"
      }
      let uuids = dialect.characteristics.map { "\($0.message) \($0.uuid)" }
      return [
        "`\(dialect.name)`", dialect.transport, (ports + uuids).joined(separator: "<br>"), words(of: dialect.framing),
      ]
    }
    rows.insert(["dialect", "over", "ports, characteristics", "framing"], at: 0)
    return table(rows)
  }

  private func words(of framing: Framing) -> String {
    switch framing {
    case .none: "each payload is one message"
    case .datagram: "a datagram contains one message or several"
    case .bundle: "a datagram contains a message or a bundle of messages"
    case .length(let prefix): "\(prefix) before each message, \(prefix.allowed.lowerBound) or more"
    case .stuffed(let stuffing): stuffing.rawValue.uppercased()
    case .selfDelimited: "none: each message shows its own size"
    case .fixed(let size, let heads):
      "\(size) bytes each over TCP, beginning with \(heads.map { "0x" + Hex.text([$0]).uppercased() }.joined(separator: " or "))"
    }
  }

  private func sessions(_ owner: WireProtocol) -> [String] {
    guard let session = owner.session else { return [] }
    var words: [String] = []
    switch session.opening {
    case .anyMessage: words.append("A session begins with the first message of a flow.")
    case .answer(let asking):
      let accepts = asking.accepts.map { " whose \($0.field) is \($0.value)" } ?? ""
      words.append(
        "\(asking.message) asks for a session, and \(asking.answers.sorted().joined(separator: " or "))\(accepts) opens it."
      )
      if let instead = asking.instead {
        words.append(
          "Where \(asking.message) is not carried \(instead.message) asks, and \(instead.life) shows that it is there.")
      }
    }
    if let closing = session.closing { words.append("\(closing.message) ends it.") }
    if let timeout = session.timeout { words.append("So do \(Double(timeout) / 1e9) s of silence over UDP.") }
    return ["", words.joined(separator: " ")]
  }

  // MARK: - Messages

  private func message(_ kind: MessageKind, of owner: WireProtocol) -> [String] {
    let layout = kind.layout
    let isVariable = !layout.isFixedSize
    let size = "\(layout.fixedSize)\(isVariable ? " or more" : "") bytes"
    let text = layout.typeText.map { String(decoding: $0.type.prefix { $0 != 0 }, as: UTF8.self) }
    let code = layout.code.map { ", code \($0)" } ?? text.map { ", type `\($0)`" } ?? ""
    let sender = layout.direction == .clientToServer ? owner.sideNames.client : owner.sideNames.host
    let way = layout.direction == .unknown ? "" : "; sent by the \(sender)"
    let dialects = layout.dialects.sorted().map { "`\($0)`" }.joined(separator: ", ")
    var rows = [["offset", "field", "type", "unit", "rule", "meaning"]]
    rows += self.rows(layout, kind)
    for field in layout.fields {
      guard let entry = field.repeated?.entry else { continue }
      rows += self.rows(entry, kind).map { row in [row[0], "\(field.name)[…].\(row[1])"] + row.dropFirst(2) }
    }
    let form = owner.kinds(named: kind.name).count > 1 ? " (\(dialects), \(layout.fixedSize) bytes)" : ""
    return [
      "", "### \(kind.name)\(form)", "",
      "\(layout.meaning.capitalisedFirst). \(size)\(code)\(way), over \(dialects). [\(layout.source)]", "", "```",
    ]
      + ByteDiagram(layout).lines + ["```", ""] + table(rows)
  }

  /// A row of the table for each field; those of an entry have their offsets in it.
  private func rows(_ layout: Layout, _ kind: MessageKind) -> [[String]] {
    layout.fields.map { field in
      let mask = field.bitMask.map { " & \(Hex.text($0))" }
      let hasOrder = field.type.isNumber && field.type.size != 1 && mask == nil
      let order = field.byteOrder == .big && hasOrder ? ", big-endian" : ""
      return [
        (field.isShifted ? "≥ " : "") + "\(field.offset)\(mask ?? "")", field.name,
        field.typeName + order + scale(field) + presence(field), field.unit,
        rule(field, kind),
        field.meaning,
      ]
    }
  }

  /// How its size shows, and when it is there.
  private func presence(_ field: FieldRow) -> String {
    let words = [
      field.length.map { length in
        if field.repeated != nil { return "as many as \(length.field)" }
        return "as many bytes as \(length.field)" + (length.step == 1 ? "" : " × \(length.step)")
          + (length.less == 0 ? "" : " − \(length.less)")
      }, field.terminator.map { "to \($0.name)" + ($0.step == 1 ? "" : ", padded to \($0.step)") },
      field.type.isDecimal && field.terminator == nil ? "to the end" : nil, decimals(field),
      field.condition.map { "when \($0)" }, field.isOptional ? "may be missing" : nil,
      field.cutPayload.map { "zeros at the end of the payload are cut, \($0.counter) counts the rest" },
    ].compactMap(\.self)
    // The type says so much.
    let isPlain = field.type.size == nil && field.length?.step == 1 && field.length?.less == 0
    return words.isEmpty || field.repeated == nil && isPlain
      ? "" : "; " + words.joined(separator: "; ")
  }

  private func decimals(_ field: FieldRow) -> String? {
    guard let places = field.type.places, places > 0 else { return nil }
    return places == 1 ? "1 digit after the point" : "\(places) digits after the point"
  }

  private func scale(_ field: FieldRow) -> String {
    guard let scale = field.scale, !field.type.isDecimal else { return "" }
    return " × \(scale.factor)" + (scale.offset == 0 ? "" : " + \(scale.offset)")
  }

  private func rule(_ field: FieldRow, _ kind: MessageKind) -> String {
    if kind.owner.namesMessage(field, in: kind), let code = kind.code { return "= \(code)" }
    if let check = field.check { return "\(check)" }
    if case .equal(let value) = field.rule, !field.type.isNumber { return "= \"\(FieldRule.letters(value))\"" }
    return "\(field.rule)"
  }

  // MARK: - Sessions, requests, streams and rules

  private func session(_ owner: WireProtocol) -> [String] {
    guard let rules = owner.session, let asking = owner.asking else { return [] }
    func names(_ names: Set<String>) -> String { names.sorted().joined(separator: ", ") }
    let rows = [
      ["opened by", asking.message + (asking.id.map { ", whose \($0) names it" } ?? "")],
      ["answered by", names(asking.answers)],
      ["kept alive by", rules.keepalive.isEmpty ? "each message of the client" : names(rules.keepalive)],
      ["timeout", rules.timeout.map { seconds($0) } ?? "none"],
      ["closed by", rules.closing?.message ?? "no message"],
    ]
    return ["", "### Sessions of \(owner.name)", ""] + table([["session", ""]] + rows)
  }

  private func requests(_ owner: WireProtocol) -> [String] {
    guard !owner.requests.isEmpty else { return [] }
    let rows = owner.requests.map { request in
      [request.name, request.message, request.answers.sorted().joined(separator: ", "), seconds(request.timeout)]
    }
    return ["", "### Requests of \(owner.name)", ""] + table([["request", "message", "answered by", "within"]] + rows)
  }

  private func seconds(_ time: Nanoseconds) -> String {
    let seconds = Double(time) / 1e9
    return (seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)") + " s"
  }

  private func streams(_ owner: WireProtocol) -> [String] {
    guard !owner.streams.isEmpty else { return [] }
    let rows = owner.streams.map { stream in
      [
        stream.name, ([stream.message] + stream.also).joined(separator: ", "), stream.values.joined(separator: ", "),
        order(stream), stream.merge.rawValue, stream.range.map { "\($0.lowerBound)…\($0.upperBound)" } ?? "",
        stream.inSession ? "within a session" : "", pace(stream),
      ]
    }
    return [
      "", "### Streams of \(owner.name)", "", "How a receiver applies them, and how often a sender sends them.", "",
    ]
      + table([["stream", "of", "values", "order", "comes to", "clamped to", "belongs", "sent"]] + rows)
  }

  private func pace(_ stream: StreamRules) -> String {
    [
      stream.interval.map { "at least every \(seconds($0))" },
      stream.rate.map { "at most \($0 == $0.rounded() ? "\(Int64($0))" : "\($0)") a second" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func order(_ stream: StreamRules) -> String {
    let key = stream.key.isEmpty ? "" : ", for each \(stream.key.joined(separator: ", "))"
    return switch stream.order {
    case .received: "as received" + key
    case .sequence(let field): "by \(field) (\(stream.orderRule))" + key
    }
  }

  private func rules(_ owner: WireProtocol) -> [String] {
    let known =
      (owner.recognisedRules + owner.rules.all + [
        owner.rules.frameLength, owner.rules.streamSkipped, .streamGap, owner.rules.streamEnd,
      ])
      .reduce(into: [Rule]()) { if !$0.contains($1) { $0.append($1) } }
    let rows = known.map {
      ["`\($0.id)`", $0.severity.name, $0.text ?? "the field's row", $0.requirement.map { "`\($0)`" } ?? ""]
    }
    return ["", "### Findings of \(owner.name)", ""] + table([["rule", "severity", "from", "requirement"]] + rows)
  }

  /// A table of Markdown, its first row the head.
  private func table(_ rows: [[String]]) -> [String] {
    let lines = rows.map { "| " + $0.map(Escaping.markdownCell).joined(separator: " | ") + " |" }
    let rule = "|" + String(repeating: "---|", count: rows.first?.count ?? 0)
    return lines.prefix(1) + [rule] + lines.dropFirst()
  }
}

extension WireProtocol {
  /// The rules that the headers of its protocol versions can break.
  fileprivate var recognisedRules: [Rule] {
    dialects.flatMap { dialect -> [Rule?] in
      let recognition = recognition(over: dialect)
      return (recognition.identity + recognition.constants).map(\.rule)
        + [recognition.unknownCode, recognition.length?.rule]
    }.compactMap(\.self) + checkFields.compactMap(\.check?.rule)
  }
}

extension String {
  fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
