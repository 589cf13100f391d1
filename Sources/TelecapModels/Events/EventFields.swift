import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapText

/// The value of an event's field.
public enum EventValue: Hashable, Sendable {
  /// A whole number.
  case number(Int64)
  /// A whole number from 0, also one that takes all 64 bits.
  case unsigned(UInt64)
  /// A number; in JSON the three that are none are the texts `NaN`, `Infinity` and `-Infinity`.
  case real(Float)
  /// A number with 64 bits, as JSON in the same way.
  case double(Double)
  /// Yes or no.
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
  /// A whole number from 0.
  fileprivate static func whole(_ value: UInt64) -> EventValue {
    Int64(exactly: value).map { .number($0) } ?? .unsigned(value)
  }

  /// A value of a stream, with all digits that its field can hold.
  fileprivate static func value(_ values: StreamValues, at place: Int) -> EventValue {
    if let whole = values.whole(at: place) { return whole.signed.map { .number($0) } ?? .unsigned(whole.magnitude) }
    let value = values[place]
    return value.isNaN || Double(Float(value)) == value ? .real(Float(value)) : .double(value)
  }
}

extension PeerEvent {
  /// The event as one line of JSON without its line feed: `time_ns`, `event`, then the event's own fields. Names and
  /// their order do not change.
  public func jsonLine(at time: Timestamp) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("time_ns", time.nanoseconds)
    json.put("event", name)
    for (name, value) in fields {
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
    case .hello: "hello"
    case .ack: "ack"
    case .poseSent: "pose-sent"
    case .poseApplied: "pose-applied"
    case .poseDropped: "pose-dropped"
    case .command: "cmd"
    case .commandSent: "cmd-sent"
    case .hapticSent: "haptic-sent"
    case .hapticReceived: "haptic-received"
    case .hapticApplied: "haptic-applied"
    case .hapticImpact: "haptic-impact"
    case .config: "config"
    case .mouseSent: "mouse-sent"
    case .mouseReceived: "mouse-received"
    case .pointer: "pointer"
    case .buttons: "buttons"
    case .scroll: "scroll"
    case .invalid: "invalid"
    case .skipped: "skipped"
    case .ignored: "ignored"
    case .refused: "refused"
    case .clamped: "clamped"
    case .applied: "applied"
    case .told: "told"
    }
  }

  /// The event's fields beside its name, in their order.
  public var fields: [(String, EventValue)] {
    switch self {
    case .sessionOpened(let peer, let id): [("peer", .text("\(peer)")), ("session_id", .number(Int64(id)))]
    case .sessionClosed(let peer, let id, let reason):
      [("peer", .text("\(peer)")), ("session_id", .number(Int64(id))), ("reason", .text(reason.rawValue))]
    case .hello(let peer, let id, let answer):
      [("peer", .text("\(peer)")), ("session_id", .number(Int64(id))), ("answer", .text(answer.name))]
    case .ack(let status): [("status", .text(status.name))]
    case .poseSent(let pose), .poseApplied(let pose): pose.fields
    case .poseDropped(let pose, let reason): pose.fields + [("reason", .text(reason.rawValue))]
    case .command(let type, let value, let changed):
      [("cmd_type", .number(Int64(type))), ("value", .number(Int64(value))), ("changed", .flag(changed))]
    case .commandSent(let type, let value): [("cmd_type", .number(Int64(type))), ("value", .number(Int64(value)))]
    case .hapticSent(let intensity), .hapticReceived(let intensity), .hapticApplied(let intensity):
      [("intensity", .real(intensity))]
    case .hapticImpact(let impact): [("style", .text(impact.rawValue))]
    case .config(let bytes): [("bytes", .number(Int64(bytes)))]
    case .mouseSent(let carrier, let packet), .mouseReceived(let carrier, let packet):
      [("carrier", .text(carrier.name))] + packet.fields
    case .pointer(let position): [("x", .number(Int64(position.x))), ("y", .number(Int64(position.y)))]
    case .buttons(let bitmap): [("buttons", .number(Int64(bitmap)))]
    case .scroll(let total): [("scroll", .number(Int64(total)))]
    case .invalid(let peer, let rule): [("peer", .text("\(peer)")), ("rule", .text(rule.id))]
    case .skipped(let peer, let bytes): [("peer", .text("\(peer)")), ("bytes", .number(Int64(bytes)))]
    case .ignored(let peer, let kind, let reason):
      [("peer", .text("\(peer)")), ("type", .text(kind.name)), ("reason", .text(reason.rawValue))]
    case .refused(let error): [("error", .text(error.rawValue))]
    case .clamped(let x, let y, let scroll):
      [("delta_x", x), ("delta_y", y), ("scroll", scroll)].compactMap { name, count in
        count.map { (name, .number(Int64($0))) }
      }
    case .applied(let value): value.fields
    case .told(let words): [("words", .text(words))]
    }
  }
}

extension PoseSample {
  fileprivate var fields: [(String, EventValue)] {
    [
      ("seq", .number(Int64(seq))), ("timestamp_us", .whole(timestampMicroseconds)),
      ("movement_start", .flag(movementStart)), ("x", .real(position.x)), ("y", .real(position.y)),
      ("z", .real(position.z)), ("qx", .real(orientation.x)), ("qy", .real(orientation.y)),
      ("qz", .real(orientation.z)), ("qw", .real(orientation.w)),
    ]
  }
}

extension AppliedValue {
  fileprivate var fields: [(String, EventValue)] {
    [("stream", .text(stream))] + shownKey
      + (number.map { [("number", .whole($0))] } ?? [])
      + values.indices.map { ("value_\($0)", .value(values, at: $0)) }
  }

  /// Of a key of several fields, their bits with slashes between.
  private var shownKey: [(String, EventValue)] {
    guard key.count > 1 else { return key.map { ("key", .whole($0)) } }
    return [("key", .text(key.map { "\($0)" }.joined(separator: "/")))]
  }
}

extension MouseSample {
  fileprivate var fields: [(String, EventValue)] {
    [
      ("buttons", .number(Int64(buttons))), ("delta_x", .number(Int64(deltaX))), ("delta_y", .number(Int64(deltaY))),
      ("scroll", .number(Int64(scroll))),
    ]
  }
}
