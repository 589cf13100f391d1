import TelecapRecording

/// The messages that end a sender early: neutral values for its streams, then the end of its session. It is fed every payload that
/// was sent. Memory: the last message of each stream and key, at most `maxStates`.
public struct Teardown: Sendable {
  /// The maximum number of streams and keys that are followed: keys that come from noise must not make memory grow.
  public static let maxStates = 256

  private let dialect: Dialect
  /// The transport of the sender's messages.
  public let carrier: Carrier
  private let rules: [NeutralRule]
  /// The codes of the messages that change what is owed: others are not decoded. Nil where the header does not show the message.
  private let codes: [UInt64]?
  private var framer: MessageFramer
  private var states: [State] = []
  /// The id of the session that was asked for last; 0 where sessions have none.
  private var session: UInt64?
  private var isClosed = false
  /// States that were not followed.
  public private(set) var dropped = 0

  /// The last message of a stream.
  private struct State {
    let rule: Int
    var bytes: [UInt8]
    /// The newest sequence number, which reordered messages do not lower.
    var number: UInt64
    /// A new session has begun since: its sequence numbers may be any.
    var isOfSessionBefore = false
  }

  /// The state of a sender of this protocol version that has sent nothing. A TCP stream is cut into messages by its framing.
  public init(_ dialect: Dialect, over carrier: Carrier) {
    (self.dialect, self.carrier) = (dialect, carrier)
    rules = NeutralRule.all(of: dialect)
    codes = Teardown.codes(dialect, rules)
    framer = MessageFramer(dialect, over: carrier)
  }

  /// Whether the protocol declares anything that a sender of this role can owe: a neutral value, or a message that closes a session.
  public static func isDeclared(for role: Role) -> Bool {
    let direction: Direction = role.side == .host ? .serverToClient : .clientToServer
    let closing = role.owner.session?.closing.flatMap { role.owner[$0.message] }
    return closing?.layoutDirection == direction
      || role.owner.dialects.contains { NeutralRule.all(of: $0).contains { $0.kind.layoutDirection == direction } }
  }

  /// Takes a payload that was sent: a datagram, or the next bytes of a stream.
  public mutating func sent(_ bytes: RawSpan) {
    // The framer is moved out while it works, so that it is changed in place and not copied.
    var framer = MessageFramer(.none)
    swap(&framer, &self.framer)
    framer.receive(bytes) { event, message in if event == .message { take(message) } }
    swap(&framer, &self.framer)
  }

  /// The sender begins anew, as a replay that is repeated does: sequence numbers may begin again. Owed neutral values stay owed.
  public mutating func restart() {
    for index in states.indices { states[index].isOfSessionBefore = true }
  }

  /// Whether the stream is within a message: the next bytes would be taken for the rest of it.
  public var isWithinMessage: Bool {
    var (framer, isWithin) = (framer, false)
    framer.finish { event, _ in if case .incomplete = event { isWithin = true } }
    return isWithin
  }

  /// The messages that are owed, in the order in which they are to be sent: neutral values, then the end of the session.
  ///
  /// - Parameter isUnsure: whether messages may have been reported as sent that were not; then neutral values are owed also
  ///   where they seem to be sent.
  public func owed(isUnsure: Bool = false) -> [Message] {
    var messages = states.compactMap { state in rules[state.rule].neutral(state.bytes, after: state.number, isUnsure) }
    if let session, !isClosed || isUnsure, let closing = dialect.owner.closing(session, over: carrier) {
      messages.append(closing)
    }
    return messages
  }

  /// The bytes of a message as they are sent: within a frame where the stream has frames.
  public func framed(_ message: Message) -> [UInt8] {
    carrier == .tcp ? dialect.framing.framed(message.bytes) : message.bytes
  }

  private static func codes(_ dialect: Dialect, _ rules: [NeutralRule]) -> [UInt64]? {
    guard dialect.bare == nil else { return nil }
    let changing = dialect.owner.messages.filter { kind in
      kind.asks || kind.withPart(\.closes) || rules.contains { $0.kind == kind }
    }
    let codes = changing.compactMap(\.code)
    return codes.count == changing.count ? codes : nil
  }

  private mutating func take(_ bytes: RawSpan) {
    if let codes, let code = dialect.code(of: bytes), !codes.contains(code) { return }
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    guard error == nil else { return }
    if kind.asks {
      let asked = kind.sessionName(in: bytes) ?? 0
      // A keepalive asks for the same session again.
      if asked != session || isClosed { restart() }
      (session, isClosed) = (asked, false)
    }
    if let session, kind.closes(session, in: bytes) { isClosed = true }
    for index in rules.indices where rules[index].kind == kind { note(bytes, rule: index) }
  }

  private mutating func note(_ bytes: RawSpan, rule index: Int) {
    let rule = rules[index]
    let number = rule.order?.bits(in: bytes) ?? 0
    guard let place = states.firstIndex(where: { $0.rule == index && rule.hasSameKey($0.bytes.span.bytes, bytes) })
    else {
      guard states.count < Teardown.maxStates else { return dropped += 1 }
      states.append(State(rule: index, bytes: bytes.withUnsafeBytes { Array($0) }, number: number))
      return
    }
    // A receiver drops stale messages, so they do not change its state.
    if let numbers = rule.numbers, !states[place].isOfSessionBefore, number != states[place].number,
      !numbers.isNewer(number, than: states[place].number)
    {
      return
    }
    (states[place].number, states[place].isOfSessionBefore) = (number, false)
    bytes.withUnsafeBytes { new in
      if states[place].bytes.count == new.count {
        states[place].bytes.withUnsafeMutableBytes { $0.copyMemory(from: new) }
      } else {
        states[place].bytes = Array(new)
      }
    }
  }
}

/// How a message of one kind is made neutral.
private struct NeutralRule: Sendable {
  let kind: MessageKind
  let key: [FieldRow]
  let order: FieldRow?
  /// How its numbers compare.
  let numbers: NumberOrder?
  /// The fields that are to be neutral, and their values.
  let values: [(row: FieldRow, value: Double)]
  /// The fields that a receiver adds up: they get 0, so that a repeated message adds nothing.
  let sums: [FieldRow]

  /// The rules of all messages that a protocol version carries.
  static func all(of dialect: Dialect) -> [NeutralRule] {
    let owner = dialect.owner
    return owner.messages.filter { $0.layout.dialects.contains(dialect.name) }.compactMap { kind in
      let streams = owner.streams.filter { $0.message == kind.name || $0.also.contains(kind.name) }
      let off = streams.flatMap { $0.neutral.sorted { $0.key < $1.key } }
      guard !off.isEmpty else { return nil }
      let sums = streams.filter { $0.merge == .sum }.flatMap(\.values)
      let numbered = streams.first { if case .sequence = $0.order { true } else { false } }
      var order: FieldRow?
      if case .sequence(let name)? = numbered?.order { order = kind.layout[name] }
      return NeutralRule(
        kind: kind, key: (numbered ?? streams[0]).key.compactMap { kind.layout[$0] }, order: order,
        numbers: order.map { NumberOrder(numbered?.orderRule ?? .serial, bits: $0.bitCount) },
        values: off.compactMap { field in kind.layout[field.key].map { ($0, field.value) } },
        sums: sums.compactMap { kind.layout[$0] })
    }
  }

  func hasSameKey(_ one: RawSpan, _ other: RawSpan) -> Bool {
    key.allSatisfy { $0.bits(in: one) == $0.bits(in: other) }
  }

  /// The message that follows `bytes` and sets everything to neutral; nil where `bytes` do so already.
  func neutral(_ bytes: [UInt8], after number: UInt64, _ always: Bool) -> Message? {
    let last = Message(kind, bytes)
    var next = last
    for (row, value) in values { next.put(value, row) }
    guard always || next != last else { return nil }
    for row in sums { next.put(0, row) }
    // A sender that gives no numbers goes on without.
    if let order, let numbers, !numbers.isUnused(number) { next.put(bits: numbers.number(1, after: number), order) }
    next.seal()
    return next
  }
}
