import TelecapRecording
import TelecapText
import TelecapWire

/// Makes the messages of a step: valid in every field that the scenario does not name.
struct MessageBuilder {
  private let owner: WireProtocol
  private let setup: Setup
  /// The field values of the part's suite; nil where they follow from `streams`.
  private let fields: CorrectFields?
  /// The streams that the part receives.
  private let streams: [JudgedStream]

  /// Nil where the part has no protocol.
  init?(_ setup: Setup, _ suites: Suites) {
    guard let owner = setup.part.role?.owner else { return nil }
    self.owner = owner
    self.setup = setup
    fields = suites.all.first { $0.models.contains { $0.part == setup.part } }?.fields
    streams = suites.model(of: setup.part)?.judging.streams ?? []
  }

  /// The names of all messages of the suites' protocols, in the order of their tables.
  static func names(_ suites: [Suite]) -> [String] {
    suites.protocols.flatMap(\.named).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The forms of the message `name`.
  func kinds(_ name: YAMLValue) throws(YAMLFileError) -> [MessageKind] {
    let kinds = owner.named.filter { $0.name == name.text }
    guard kinds.isEmpty else { return kinds }
    let names = owner.named.map(\.name).list(or: false)
    throw name.error("\(owner.name) has no \(name.text ?? "such message"); it has \(names)")
  }

  /// The message `name` and its transport: that of the file, else the usual one of its sender. A message that the
  /// transport does not declare is still sent over it, in its first form; but a session request is replaced by the one
  /// of the transport.
  func kind(_ name: YAMLValue, over carrier: Carrier?) throws(YAMLFileError) -> (kind: MessageKind, carrier: Carrier) {
    let kinds = try kinds(name)
    let carrier = carrier ?? kinds.lazy.compactMap(\.layout.usually).first ?? setup.carrier
    guard owner.dialect(over: carrier) != nil else {
      throw name.error("\(owner.name) has no transport \(carrier.name)")
    }
    if kinds[0].asks, let instead = owner.asking(insteadOver: carrier),
      let kind = owner.kind(named: instead.message, over: carrier)
    {
      return (kind, carrier)
    }
    return (owner.kind(named: kinds[0].name, over: carrier) ?? kinds[0], carrier)
  }

  /// `count` messages of this name for a transport, at an interval of `every` ns.
  func messages(
    _ name: String, count: Int, every: Nanoseconds, over carrier: Carrier, at place: YAMLValue
  ) throws(YAMLFileError) -> [[UInt8]] {
    guard let kind = owner.kind(named: name, over: carrier) else { return [] }
    return try messages(kind, with: nil, count: count, of: "host", every: every, at: place)
  }

  /// `count` messages of a kind from a peer, at an interval of `every` ns. The messages cycle through a list of values.
  func messages(
    _ kind: MessageKind, with fields: YAMLValue?, count: Int, of peer: PeerName, every: Nanoseconds, at step: YAMLValue
  ) throws(YAMLFileError) -> [[UInt8]] {
    // The link identifies the session of a request that replaces the usual one.
    let isInstead = owner.asking?.instead?.message == kind.name
    let named = (fields?.pairs ?? []).filter { !(isInstead && $0.key == owner.asking?.id) }
    for (key, value) in named where kind.layout[key] == nil {
      let names = kind.layout.fields.map(\.name)
      let meant = Spelling.nearest(to: key, among: names).map { "did you mean \"\($0)\"?" }
      throw value.error("\(kind.name) has no field \"\(key)\"; \(meant ?? "it has \(names.joined(separator: ", "))")")
    }
    let order = kind.numbering?.order
    // A single number is that of the first message.
    let first = named.first { $0.key == order?.name && !$0.value.isList }?.value.bits
    let numbers = order.flatMap { row in named.first { $0.key == row.name } }?.value.list ?? []
    let template = Message.right(kind)
    var result: [[UInt8]] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let listed = first == nil && !numbers.isEmpty ? numbers[index % numbers.count].bits : nil
      let place = MessagePlace(
        peer: peer, code: setup.code, index: index,
        number: listed ?? kind.numbering.number(first ?? 1, index), every: every)
      var values: [String: FieldValue] = [:]
      for (key, value) in named where first == nil || key != order?.name {
        guard let row = kind.layout[key] else { continue }
        let list = row.repeated != nil && value.holdsEntries ? [value] : value.list
        guard !list.isEmpty else { throw value.error("\"\(key)\" is an empty list") }
        values[key] = try MessageBuilder.value(list[index % list.count], row)
      }
      do {
        result.append(try Message(right(template, place), fields: values).bytes)
      } catch {
        throw (fields ?? step).error("\(error)")
      }
    }
    return result
  }

  /// The words for the content of an answer.
  var answerWords: [String] { owner.answerWords }

  /// The answer with this content to a session request, or the accepting one without a word, for a transport. Nil if
  /// the protocol has no session requests, if the transport carries no such answer, or if the answer is a stream, whose
  /// messages are sent instead.
  func answering(_ word: String?, over carrier: Carrier) -> [UInt8]? {
    guard let kind = owner.answer(over: carrier), let dialect = owner.dialect(over: carrier),
      !owner.streams.contains(where: { $0.message == kind.name })
    else { return nil }
    let place = MessagePlace(peer: "host", code: setup.code, index: 0, number: 0, every: 0)
    guard var message = try? right(.right(kind), place) else { return nil }
    if let accepts = owner.asking?.accepts, let row = kind.layout[accepts.field] {
      guard let code = word.map({ row.code(named: $0) }) ?? accepts.value else { return nil }
      message.put(bits: code, row)
      message.seal()
    } else if let word, word != kind.name {
      return nil
    }
    let bytes = message.bytes
    return carrier == .tcp ? dialect.framing.framed(bytes) : bytes
  }

  /// The message for a position in its step, with valid fields and the position's sequence number where its kind has
  /// one.
  private func right(_ template: Message, _ place: MessagePlace) throws(WireError) -> Message {
    let kind = template.kind
    let bits = UInt64(bitPattern: place.number)
    guard let fields else {
      return streams.first { $0.kind == kind }?.message(bits) ?? numbered(template, bits)
    }
    return numbered(try Message(template, fields: fields(kind, place)), bits)
  }

  private func numbered(_ message: Message, _ number: UInt64) -> Message {
    guard let order = message.kind.numbering?.order else { return message }
    var message = message
    message.put(bits: number, order)
    message.seal()
    return message
  }

  /// A value of a file in the field's own type.
  private static func value(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> FieldValue {
    if let repeated = row.repeated, value.holdsEntries { return .bytes(try entries(value, repeated)) }
    switch row.valueType {
    case .u8, .u16, .u24, .u32, .u64, .bits:
      if let number = value.unsigned { return .unsigned(number) }
      if let code = try value.code(of: row) { return .unsigned(code) }
    case .i8, .i16, .i24, .i32, .i64, .decimal:
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

extension MessageBuilder {
  /// The bytes of a list of entries, each a mapping of its fields.
  private static func entries(_ list: YAMLValue, _ repeated: RepeatedPart) throws(YAMLFileError) -> [UInt8] {
    var entries: [[String: FieldValue]] = []
    for entry in list.list {
      var values: [String: FieldValue] = [:]
      for (key, value) in entry.pairs {
        guard let row = repeated.entry[key] else {
          let names = repeated.entry.fields.map(\.name)
          throw value.error("an entry has no field \"\(key)\"; it has \(names.joined(separator: ", "))")
        }
        values[key] = try MessageBuilder.value(value, row)
      }
      entries.append(values)
    }
    do { return try repeated.bytes(of: entries) } catch { throw list.error("\(error)") }
  }
}

extension YAMLValue {
  /// The number of a code by its name; nil if the field has no such code.
  ///
  /// - Throws: `YAMLFileError` if several codes have the name, such as "reserved".
  public func code(of row: FieldRow) throws(YAMLFileError) -> UInt64? {
    guard case .codes(let codes) = row.rule, let text else { return nil }
    let numbers = codes.filter { $0.name == text }.map { "\($0.value)" }
    guard numbers.count < 2 else {
      let known = numbers.dropLast().joined(separator: ", ") + " and \(numbers[numbers.count - 1])"
      throw error("\"\(text)\" is the name of \(known) in \"\(row.name)\": write the number")
    }
    return codes.first { $0.name == text }.map { UInt64($0.value) }
  }

  /// Whether it is a list of mappings, one for each entry of a field that repeats, or the empty list.
  var holdsEntries: Bool {
    isList
      && list.allSatisfy { entry in
        if case .mapping = entry.content { true } else { false }
      }
  }
}

extension Numbering? {
  /// The sequence number of the message at an index after one with the number `first`, as 64 bits. A sender whose first
  /// message has none uses none.
  fileprivate func number(_ first: Int64, _ index: Int) -> Int64 {
    let bits = UInt64(bitPattern: first)
    guard let order = self?.numbers, order.rule.unused != nil else { return first &+ Int64(index) }
    return order.isUnused(bits) ? first : Int64(bitPattern: order.number(UInt64(index), after: bits))
  }
}

extension YAMLValue {
  /// The bits of a whole number, signed or unsigned.
  fileprivate var bits: Int64? { integer ?? unsigned.map { Int64(bitPattern: $0) } }
}

extension WireProtocol {
  /// Its messages in the order of their tables, without the kinds for invalid ones.
  fileprivate var named: [MessageKind] { messages.filter { $0 != unknown && $0 != malformed } }
}

extension FieldRow {
  /// The value of this name in its rule.
  fileprivate func code(named name: String) -> UInt64? {
    guard case .codes(let codes) = rule else { return nil }
    return codes.first { $0.name == name }.map { UInt64($0.value) }
  }
}
