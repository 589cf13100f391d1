import TelecapRecording
import TelecapWire
import TelecapText

/// The value of an event's field.
public enum EventValue: Hashable, Sendable {
  /// A whole number.
  case number(Int64)
  /// An unsigned whole number of up to 64 bits.
  case unsigned(UInt64)
  /// A 32-bit number; in JSON the non-finite ones are the strings `NaN`, `Infinity` and `-Infinity`.
  case real(Float)
  /// A 64-bit number, with the same form in JSON.
  case double(Double)
  /// True or false.
  case flag(Bool)
  /// Text.
  case text(String)

  /// The value as JSON.
  public var json: String {
    var json = JSONWriter()
    write(to: &json)
    return json.text
  }

  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .number(let value): json.put(nil, value)
    case .unsigned(let value): json.put(nil, value)
    case .real(let value): json.put(nil, value)
    case .double(let value): json.put(nil, value)
    case .flag(let value): json.put(nil, value)
    case .text(let value): json.put(nil, value)
    }
  }
}

extension EventValue {
  /// An unsigned whole number.
  fileprivate static func whole(_ value: UInt64) -> EventValue {
    Int64(exactly: value).map { .number($0) } ?? .unsigned(value)
  }

  /// A value of a stream, with all digits of its field.
  fileprivate static func value(_ values: StreamValues, at place: Int) -> EventValue {
    if let whole = values.whole(at: place) { return whole.signed.map { .number($0) } ?? .unsigned(whole.magnitude) }
    let value = values[place]
    return value.isNaN || Double(Float(value)) == value ? .real(Float(value)) : .double(value)
  }
}

extension PeerEvent {
  /// The event as one line of JSON without its line feed: `time_ns`, `event`, then the event's own fields. Names and
  /// their order do not change.
  ///
  /// - Parameter owner: the protocol of the event's stream, for the declared names of fields; without it they are
  ///   `key`, `number` and `value_0`.
  public func jsonLine(at time: Timestamp, of owner: WireProtocol? = nil) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("time_ns", time.nanoseconds)
    json.put("event", name)
    for (name, value) in fields(of: owner) {
      json.key(name)
      value.write(to: &json)
    }
    json.endObject()
    return json.text
  }

  /// The event's name: `pose-applied`.
  public var name: String {
    switch self {
    case .sessionOpened: "session-opened"
    case .sessionClosed: "session-closed"
    case .requested(_, _, let answer): answer.names.request
    case .answered(let answer): answer.names.answer
    case .sent(let value): value.name("sent")
    case .received(let value): value.name("received")
    case .applied(let value): value.names?.applied ?? "applied"
    case .dropped(let value, _): value.name("dropped")
    case .note(let note): note.kind.name
    case .invalid: "invalid"
    case .skipped: "skipped"
    case .ignored: "ignored"
    case .told: "told"
    }
  }

  /// The event's fields in addition to its name, in order.
  public func fields(of owner: WireProtocol? = nil) -> [(String, EventValue)] {
    switch self {
    case .sessionOpened(let peer, let id): [("peer", .text("\(peer)")), ("session_id", .number(Int64(id)))]
    case .sessionClosed(let peer, let id, let reason):
      [("peer", .text("\(peer)")), ("session_id", .number(Int64(id))), ("reason", .text(reason.rawValue))]
    case .requested(let peer, let id, let answer):
      [("peer", .text("\(peer)")), ("session_id", .number(Int64(id))), ("answer", .text(answer.word))]
    case .answered(let answer): [(answer.names.field, .text(answer.word))]
    case .sent(let value), .received(let value): value.fields(of: owner)
    case .applied(let value): value.fields(of: owner) + value.change
    case .dropped(let value, let reason): value.fields(of: owner) + [("reason", .text(reason.rawValue))]
    case .note(let note): note.fields
    case .invalid(let peer, let rule): [("peer", .text("\(peer)")), ("rule", .text(rule.id))]
    case .skipped(let peer, let bytes): [("peer", .text("\(peer)")), ("bytes", .number(Int64(bytes)))]
    case .ignored(let peer, let kind, let reason):
      [("peer", .text("\(peer)")), ("type", .text(kind.name)), ("reason", .text(reason.rawValue))]
    case .told(let words): [("words", .text(words))]
    }
  }
}

extension AppliedValue {
  /// The action on the value, after the stream's name if the protocol has names for the stream.
  fileprivate func name(_ what: String) -> String { names == nil ? what : "\(stream)-\(what)" }

  fileprivate func fields(of owner: WireProtocol?) -> [(String, EventValue)] {
    if let names { return names.fields.compactMap(field) }
    if let rules = owner?.streams.first(where: { $0.name == stream }) {
      return [("stream", .text(stream))] + rules.eventFields.compactMap(field)
    }
    return [("stream", .text(stream))] + shownKey
      + (number.map { [("number", .whole($0))] } ?? [])
      + values.indices.map { ("value_\($0)", .value(values, at: $0)) }
  }

  /// Nil if the value does not contain the field.
  private func field(_ field: EventNames.Field) -> (String, EventValue)? {
    switch field {
    case .number(let name): number.map { (name, .whole($0)) }
    case .key(let name, let place): place < key.count ? (name, .whole(key[place])) : nil
    case .value(let name, let place): place < values.count ? (name, .value(values, at: place)) : nil
    case .bit(let name, let bit, let place):
      place < values.count ? (name, .flag((values.whole(at: place)?.unsigned ?? 0) & bit != 0)) : nil
    }
  }

  fileprivate var change: [(String, EventValue)] { names?.change.map { [($0, .flag(isChange))] } ?? [] }

  /// The key; one with several fields has their bits separated by slashes.
  private var shownKey: [(String, EventValue)] {
    guard key.count > 1 else { return key.map { ("key", .whole($0)) } }
    return [("key", .text(key.map { "\($0)" }.joined(separator: "/")))]
  }
}

extension StreamRules {
  /// The members that every event line has.
  private static let ownMembers: Set<String> = ["time_ns", "event", "stream", "reason"]

  /// The fields of its events by their declared names.
  fileprivate var eventFields: [EventNames.Field] {
    func name(_ field: String, or other: String) -> String { StreamRules.ownMembers.contains(field) ? other : field }
    var fields = key.enumerated().map { EventNames.Field.key(name($1, or: "key_\($0)"), at: $0) }
    if case .sequence(let number) = order { fields.append(.number(name(number, or: "number"))) }
    return fields + values.enumerated().map { .value(name($1, or: "value_\($0)"), at: $0) }
  }
}

extension PeerNote {
  fileprivate var fields: [(String, EventValue)] {
    var index = 0
    return kind.fields.compactMap { field in
      if case .constant(let name, let text) = field { return (name, .text(text)) }
      defer { index += 1 }
      guard let number = self[index] else { return nil }
      return (field.name, field.words.map { .text($0[number]) } ?? .number(Int64(number)))
    }
  }
}
