import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapText

/// Makes the messages of a step: right in every field that the scenario does not name.
struct MessageBuilder {
  private let setup: Setup
  private let peer: PeerName
  private let every: Int64

  init(_ setup: Setup, _ peer: PeerName, every: Int64) {
    self.setup = setup
    self.peer = peer
    self.every = every
  }

  /// `count` messages of the kind that `name` names. Of a list of values, each message takes the next, and begins again.
  func messages(_ name: YAMLValue, with fields: YAMLValue?, count: Int) throws(YAMLFileError) -> [[UInt8]] {
    guard var kind = StepDecoder.kinds.first(where: { $0.name == name.text })?.kind else { return [] }
    if kind == .ack, setup.carrier == .tcp { kind = .ackTCP }
    let named = fields?.pairs ?? []
    for (key, value) in named where kind.layout[key] == nil {
      let names = kind.layout.fields.map(\.name)
      let meant = Spelling.nearest(to: key, among: names).map { "did you mean \"\($0)\"?" }
      throw value.error("\(kind.name) has no field \"\(key)\"; \(meant ?? "it has \(names.joined(separator: ", "))")")
    }
    var result: [[UInt8]] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      var values = standard(kind, index, first: named.first { $0.key == "seq" }?.value.integer)
      for (key, value) in named {
        guard key != "seq" || value.isList, let row = kind.layout[key] else { continue }
        let list = value.list
        guard !list.isEmpty else { throw value.error("\"\(key)\" is an empty list") }
        values[key] = try MessageBuilder.value(list[index % list.count], row)
      }
      do {
        result.append(try Message(kind, fields: values).bytes)
      } catch {
        throw fields?.error("\(error)") ?? name.error("\(error)")
      }
    }
    return result
  }

  /// The session_id of a peer whose scenario names none: 1 for a, 2 for b.
  static func sessionID(of peer: PeerName) -> UInt32 {
    guard let first = peer.utf8.first, peer.utf8.count == 1, first >= UInt8(ascii: "a") else { return 1 }
    return UInt32(first - UInt8(ascii: "a")) + 1
  }

  /// What a correct sender puts into the fields; a pose's place tells which one it is.
  private func standard(_ kind: MessageKind, _ index: Int, first: Int64?) -> [String: FieldValue] {
    switch kind {
    case .hello:
      ["session_id": .unsigned(UInt64(MessageBuilder.sessionID(of: peer))), "code": .text(setup.code)]
    case .bye: ["session_id": .unsigned(UInt64(MessageBuilder.sessionID(of: peer)))]
    case .ackTCP: ["min_version": .unsigned(1), "max_version": .unsigned(1)]
    case .cmd: ["cmd_type": .unsigned(UInt64(Cmd.recording)), "value": .unsigned(1)]
    case .pose:
      [
        "seq": .unsigned(UInt64(UInt16(truncatingIfNeeded: (first ?? 1) + Int64(index)))),
        "timestamp_us": .unsigned(UInt64(max(0, Int64(index) * every / 1_000))),
        "x": .float(Float(index % 1_000) / 1_000), "qw": .float(1),
      ]
    default: [:]
    }
  }

  /// A value of a file as the field's own type holds it.
  private static func value(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> FieldValue {
    switch row.type {
    case .u8, .u16, .u32, .u64:
      if let number = value.integer, number >= 0 { return .unsigned(UInt64(number)) }
      if case .codes(let codes) = row.rule, let code = codes.first(where: { $0.name == value.text }) {
        return .unsigned(UInt64(code.value))
      }
    case .i8, .i16, .i32, .i64:
      if let number = value.integer { return .signed(number) }
    case .f32:
      if let number = value.number { return .float(Float(number)) }
    case .f64:
      if let number = value.number { return .double(number) }
    case .text, .variableText:
      if let text = value.text { return .text(text) }
    case .octets, .variableOctets, .rest:
      if let bytes = value.bytes { return .bytes(bytes) }
    }
    throw value.error("\"\(row.name)\" is \(row.type.name), which cannot hold \"\(value.text ?? "this")\"")
  }
}
