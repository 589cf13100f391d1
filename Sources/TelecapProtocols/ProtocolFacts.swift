import TelecapRecording
import TelecapWire

/// A declaration as facts, each with what it is about, to be compared: what both ends of a wire have to agree on, and what a
/// receiver makes of it. Titles, meanings and sources are words for people, and no facts; neither are the names that findings and
/// tables of captures have.
public struct ProtocolFacts: Sendable {
  /// One fact.
  public struct Fact: Hashable, Sendable {
    /// The subject, such as `HELLO over udp: code`: unique among the facts of a protocol.
    public let subject: String
    /// The declared value.
    public let value: String
  }

  /// The facts, in the order of the declaration.
  public private(set) var facts: [Fact] = []

  /// The facts of a protocol.
  public init(_ owner: WireProtocol) {
    add("sides", "client \(owner.sideNames.client), host \(owner.sideNames.host)")
    addCarriers(owner)
    let messages = owner.declaredMessages
    add("messages", ProtocolFacts.distinct(messages.map(\.name)).joined(separator: ", "))
    for kind in messages { add(kind.layout) }
    add("payloads of other types", owner.unknown.map { "are \($0.name)" } ?? "are no message")
    addSession(owner)
    for request in owner.requests {
      add(
        "request \(request.name)",
        "\(request.message), answered by \(ProtocolFacts.list(request.answers)) within \(ProtocolFacts.time(request.timeout))"
      )
    }
    for stream in owner.streams { add(stream) }
  }

  /// The difference from another declaration, in words; nil if there is none.
  public func difference(from other: ProtocolFacts) -> String? {
    guard let subject = differences(from: other).first else { return nil }
    let words = [other, self].map { $0[subject].map { "\"\($0)\"" } ?? "nothing" }
    return "\(subject) is \(words[0]) here and \(words[1]) there"
  }

  /// The subjects of which two declarations do not say the same, in the order of this one, then of the other.
  public func differences(from other: ProtocolFacts) -> [String] {
    ProtocolFacts.distinct((facts + other.facts).map(\.subject)).filter { self[$0] != other[$0] }
  }

  /// The declared value of a subject; nil without one.
  public subscript(subject: String) -> String? { facts.first { $0.subject == subject }?.value }

  private mutating func add(_ subject: String, _ value: String) { facts.append(Fact(subject: subject, value: value)) }

  /// A time in seconds, without needless decimals.
  private static func time(_ nanoseconds: Nanoseconds) -> String {
    let seconds = Double(nanoseconds) / 1e9
    return seconds == seconds.rounded() ? "\(nanoseconds / 1_000_000_000) s" : "\(seconds) s"
  }

  private static func list(_ names: Set<String>) -> String { names.sorted().joined(separator: ", ") }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

// MARK: - Carriers and headers

extension ProtocolFacts {
  private mutating func addCarriers(_ owner: WireProtocol) {
    add("carriers", owner.dialects.map(\.name).joined(separator: ", "))
    for dialect in owner.dialects {
      let bare = dialect.bare.map { ", \($0) without a header" } ?? ""
      let several = dialect.datagrams == .none ? "" : ", \(words(of: dialect.datagrams))"
      add("carrier \(dialect.name)", "\(words(of: dialect.framing))\(several)\(bare)")
      add("header over \(dialect.name)", words(of: owner.recognition(over: dialect)))
      for one in dialect.characteristics {
        add("characteristic \(one.uuid.lowercased())", "\(one.message) over \(dialect.name)")
      }
    }
    for port in owner.ports {
      add(
        "port \(port.id)",
        "\(port.carrier.name) \(port.standard) of \(port.dialect), \(port.end == .host ? "the host's" : "of who listens")"
      )
    }
  }

  private func words(of framing: Framing) -> String {
    switch framing {
    case .none: "no framing"
    case .datagram: "several messages in a datagram"
    case .bundle: "bundles of OSC"
    case .length(let prefix): "a \(prefix) of \(prefix.allowed.lowerBound) or more"
    case .fixed(let size, let heads): "\(size) bytes that begin with \(Hex.text(heads, separator: " or "))"
    case .stuffed(let stuffing): stuffing.rawValue
    case .selfDelimited: "each message shows its size"
    }
  }

  private func words(of recognition: Recognition) -> String {
    var words = ["\(recognition.header) bytes"]
    words += recognition.identity.map { "identity \($0.field.name) \($0.field.rule)" }
    words += recognition.code.map { ["type \($0.name)"] } ?? []
    words += recognition.typeText.map { ["type text \($0.name)"] } ?? []
    words += recognition.constants.map { "constant \($0.field.name) \($0.field.rule)" }
    words += recognition.length.map { ["length \($0.field.name) in units of \($0.step) without \($0.uncounted)"] } ?? []
    words.append(
      recognition.isExact ? "nothing after the message, \(recognition.shortest) at least" : "bytes may follow")
    return words.joined(separator: ", ")
  }
}

// MARK: - Messages

extension ProtocolFacts {
  private mutating func add(_ layout: Layout) {
    let form = "\(layout.name) of \(layout.fixedSize) bytes over \(ProtocolFacts.list(layout.dialects))"
    var words = [
      layout.code.map { "type \($0)" } ?? layout.typeText.map { "type \(Hex.text($0.type))" } ?? "no type",
      "from \(layout.direction == .serverToClient ? "host" : "client")",
    ]
    words += layout.returnsOver.map { ["both ways over \($0.name)"] } ?? []
    words += layout.usually.map { ["usually over \($0.name)"] } ?? []
    if !layout.unitQuaternion.isEmpty {
      words.append("unit quaternion \(layout.unitQuaternion.joined(separator: " "))")
    }
    add(form, words.joined(separator: ", "))
    for field in layout.fields {
      add("\(form): \(field.name)", ProtocolFacts.words(of: field))
      for inner in field.repeated?.entry.fields ?? [] {
        add("\(form): \(field.name).\(inner.name)", ProtocolFacts.words(of: inner))
      }
    }
  }

  private static func words(of field: FieldRow) -> String {
    var words = ["at \(field.offset)", field.typeName]
    if let mask = field.bitMask {
      words.append("mask \(Hex.text(mask)), \(BitOrder.words[field.byteOrder == .big ? 0 : 1])")
    } else if field.type.isNumber, !field.type.isDecimal, field.type.size != 1 {
      words.append("\(field.byteOrder.rawValue)-endian")
    }
    if let length = field.length {
      words.append("length in \(length.field) times \(length.step) less \(length.less)")
    }
    words += field.terminator.map { ["to \($0.byte), padded to \($0.step)"] } ?? []
    words += field.condition.map { ["when \($0)"] } ?? []
    if field.isOptional { words.append("optional") }
    words += field.cutPayload.map { ["zeros of \($0.range) cut by \($0.counter)"] } ?? []
    words += field.check.map { ["checksum \($0)"] } ?? []
    words += field.scale.map { ["times \($0.factor) plus \($0.offset)"] } ?? []
    if !field.unit.isEmpty { words.append(field.unit) }
    words.append(rule(field.rule))
    switch field.shown {
    case .number: break
    case .hexadecimal: words.append("hexadecimal")
    case .bits(let names): words.append("bits \(names.joined(separator: " "))")
    }
    return words.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func rule(_ rule: FieldRule) -> String {
    guard case .form(let form) = rule else { return "\(rule)" }
    switch form.pattern {
    case .jsonObject: return "JSON object"
    case .constant(let bytes): return "= \(Hex.text(bytes))"
    case .characters(let ranges, let count, let isPadded):
      let bytes = ranges.map { "\(Hex.text([$0.lowerBound]))–\(Hex.text([$0.upperBound]))" }.joined(separator: " ")
      return "\(count.lowerBound) to \(count.upperBound) of \(bytes)\(isPadded ? " and padding" : "")"
    }
  }
}

// MARK: - Sessions and streams

extension ProtocolFacts {
  private mutating func addSession(_ owner: WireProtocol) {
    guard let session = owner.session else { return }
    switch session.opening {
    case .anyMessage: add("session, opened by", "any message")
    case .answer(let asking):
      add("session, opened by", "\(asking.message), answered by \(ProtocolFacts.list(asking.answers))")
      add("session, id", asking.id ?? "none")
      add("session, code", asking.code ?? "none")
      add("session, accepted by", asking.accepts.map { "\($0.field) \($0.value)" } ?? "any answer")
      add("session, rejected for its code by", asking.rejects.code.map { "\($0)" } ?? "no value")
      add("session, rejected as busy by", asking.rejects.busy.map { "\($0)" } ?? "no value")
      add("session, clients at a time", asking.clients.map { "\($0)" } ?? "no limit")
      add("session, must be answered", asking.unanswered == nil ? "no" : "yes")
      add(
        "session, instead",
        asking.instead.map { "\($0.message), shown by \($0.life) every \(ProtocolFacts.time($0.every))" } ?? "nothing")
    }
    add("session, closed by", session.closing.map { "\($0.message) \($0.id ?? "of any")" } ?? "nothing")
    add("session, timeout", session.timeout.map { "\(ProtocolFacts.time($0))" } ?? "none")
    add("session, kept alive by", session.keepalive.isEmpty ? "each message" : ProtocolFacts.list(session.keepalive))
    add("session, outside", ProtocolFacts.list(session.outside))
    add("session, needed by", ProtocolFacts.list(Set(session.needed.keys)))
  }

  private mutating func add(_ stream: StreamRules) {
    var words = [([stream.message] + stream.also).joined(separator: " and "), stream.merge.rawValue]
    if case .sequence(let field) = stream.order {
      words.append("ordered by \(field)" + (stream.orderRule == .serial ? "" : " (\(stream.orderRule))"))
    }
    if !stream.key.isEmpty { words.append("for each \(stream.key.joined(separator: " "))") }
    words.append("values \(stream.values.joined(separator: " "))")
    words += stream.range.map { ["clamped to \($0.lowerBound)…\($0.upperBound)"] } ?? []
    words += stream.silence.map { ["0 after \(ProtocolFacts.time($0))"] } ?? []
    words += stream.interval.map { ["sent every \(ProtocolFacts.time($0))"] } ?? []
    words += stream.rate.map { ["at most \($0) a second"] } ?? []
    if stream.inSession { words.append("within a session") }
    switch stream.notFinite {
    case .dropped: words.append("NaN is dropped")
    case .clampedOrDropped: words.append("NaN is clamped or dropped")
    case .any: words.append("NaN is applied or dropped")
    }
    for (name, value) in stream.neutral.sorted(by: { $0.key < $1.key }) { words.append("neutral \(name) \(value)") }
    add("stream \(stream.name)", words.joined(separator: ", "))
  }
}
