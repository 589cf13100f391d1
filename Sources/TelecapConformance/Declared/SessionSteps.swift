import TelecapRecording
import TelecapWire

/// The steps of our side in the sessions of a declared protocol, over one transport.
struct SessionSteps {
  let owner: WireProtocol
  let carrier: Carrier

  /// The time at which scenarios begin to send, in ns: by then a program has opened its sockets.
  static let start: Nanoseconds = 300_000_000
  /// The interval between two session requests that must not be taken for a retransmission, in ns.
  static let pause: Nanoseconds = 400_000_000
  /// The maximum number of clients with sessions in tests of a busy host.
  static let maxClients = 8

  /// The peer of a system on this side.
  func peer(of side: Side) -> PeerName { side == .client ? "host" : "a" }

  /// These messages, one after the other.
  func send(_ messages: [[UInt8]], at time: Nanoseconds, every: Nanoseconds = 0, by peer: PeerName) -> Step {
    step(.send(messages.map(framed), every: every), at: time, by: peer)
  }

  func step(_ work: Step.Work, at time: Nanoseconds, by peer: PeerName) -> Step {
    Step(time: Timestamp(nanoseconds: time), peer: peer, work: work, carrier: carrier, answers: [], line: 0)
  }

  /// Whether messages follow one another without a frame: the bytes after a message of a wrong size complete it.
  var isSelfDelimited: Bool {
    guard carrier == .tcp, case .selfDelimited? = owner.dialect(over: .tcp)?.framing else { return false }
    return true
  }

  /// A message with the framing of the transport.
  func framed(_ message: [UInt8]) -> [UInt8] {
    carrier == .tcp ? owner.dialect(over: carrier)?.framing.framed(message) ?? message : message
  }

  /// The ways to end a connection by `peer`, each with its name and verb; empty over datagrams.
  func connectionEnds(at time: Nanoseconds, by peer: PeerName) -> [(name: String, verb: String, step: Step)] {
    guard carrier == .tcp else { return [] }
    return [
      ("close", "closes", step(.close, at: time, by: peer)), ("reset", "resets", step(.reset, at: time, by: peer)),
    ]
  }

  // MARK: - As a client

  /// The request that opens a session of `a`; empty for a protocol without one.
  func request(at time: Nanoseconds, isOther: Bool = false, by peer: PeerName = "a") -> [Step] {
    requests(1, from: time, every: 0, isOther: isOther, by: peer)
  }

  /// Requests with wrong codes; empty for a protocol without codes.
  var wrongCodes: [[UInt8]] {
    guard let asking = owner.asking, let kind = owner.kind(named: asking.message, over: carrier),
      let credential = Credential(kind)
    else { return [] }
    return credential.wrong(named(kind, isOther: true), owner.usualCode)
  }

  /// The messages by which a host knows the client `a`: the session request, or without one a message of each stream.
  var signsOfLife: [[UInt8]] {
    guard let asking = owner.asking else {
      return JudgedStream.declared(by: owner, received: .host, over: carrier).map { $0.message(1).bytes }
    }
    return owner.kind(named: asking.message, over: carrier).map { [named($0).bytes] } ?? []
  }

  /// Requests that keep a session of `a` alive for this time; messages of the client's streams where no request is
  /// needed.
  func keep(for length: Nanoseconds, from time: Nanoseconds) -> [Step] {
    guard owner.asking != nil else { return streams(to: .host, for: length, from: time) }
    guard carrier == .udp, let timeout = owner.session?.timeout, length > timeout / 3 else { return request(at: time) }
    return requests(Int(min(SessionSteps.maxMessages, length / (timeout / 3))), from: time, every: timeout / 3)
  }

  private func requests(
    _ count: Int, from time: Nanoseconds, every: Nanoseconds, isOther: Bool = false, by peer: PeerName = "a"
  ) -> [Step] {
    guard let asking = owner.asking, let kind = owner.kind(named: asking.message, over: carrier) else { return [] }
    return [
      send([[UInt8]](repeating: named(kind, isOther: isOther).bytes, count: count), at: time, every: every, by: peer)
    ]
  }

  /// The message that closes the session of `a`; empty where the protocol has none.
  func teardown(at time: Nanoseconds, isOther: Bool = false) -> [Step] {
    guard let closing = owner.closing(isOther ? otherID : sessionID, over: carrier) else { return [] }
    return [send([closing.bytes], at: time, by: "a")]
  }

  /// Teardowns that do not close the session of `a`: with another id, and over datagrams with a wrong header.
  var otherTeardowns: [[UInt8]] {
    guard let right = owner.closing(sessionID, over: carrier) else { return [] }
    let invalid =
      carrier == .udp
      ? owner.recognisedFields.flatMap { right.kind.wrong(right.bytes, in: $0, over: carrier) } : []
    let other = hasID ? owner.closing(otherID, over: carrier).map { [$0.bytes] } ?? [] : []
    return other + invalid
  }

  /// Whether a teardown contains a session id, and another id is possible.
  var hasID: Bool {
    guard let closing = owner.session?.closing, let id = closing.id, owner.asking?.id != nil else { return false }
    return sessionID != otherID && owner.kind(named: closing.message, over: carrier)?.layout[id] != nil
  }

  /// The id of the session of `a`. Every byte and the highest bit are in use, for any width.
  var sessionID: UInt64 { id(0xde55_b0a1_de55_b0a1, 1) }
  /// The id of another session.
  private var otherID: UInt64 { id(0x8a11_93c7_8a11_93c7, 2) }

  /// An id that the rule of its field allows.
  private func id(_ any: UInt64, _ index: Int) -> UInt64 {
    let row = owner.asking.flatMap { asking in
      asking.id.flatMap { owner.kind(named: asking.message, over: carrier)?.layout[$0] }
    }
    guard let row, row.rule != .any else { return any }
    return row.rightKey(index) ?? 1
  }

  private func named(_ kind: MessageKind, isOther: Bool = false) -> Message {
    var message = Message.right(kind)
    Credential(kind)?.put(owner.usualCode, into: &message)
    guard let id = owner.asking?.id.flatMap({ kind.layout[$0] }) else { return message }
    message.put(bits: isOther ? otherID : sessionID, id)
    message.seal()
    return message
  }

  // MARK: - As a host

  /// Messages of the host's streams, for this time.
  func answers(for length: Nanoseconds) -> [Step] {
    streams(to: .client, for: length - SessionSteps.start, from: SessionSteps.start)
  }

  /// The maximum number of messages in a step, since a session may be declared to last for days.
  private static let maxMessages: Nanoseconds = 1_000

  /// Messages of the streams that one side receives, ten a second for this time, or fewer beyond the maximum.
  private func streams(to side: Side, for length: Nanoseconds, from time: Nanoseconds) -> [Step] {
    let every = max(100_000_000, length / SessionSteps.maxMessages)
    let count = UInt64(max(1, length / every))
    return JudgedStream.declared(by: owner, received: side, over: carrier).map { stream in
      send((1...count).map { stream.message($0).bytes }, at: time, every: every, by: peer(of: side))
    }
  }

  /// The answer to each request of a client, unless it is a stream: an accepting one, or one with this status.
  func acknowledgements(
    from start: Timestamp = .zero, until end: Timestamp, status: UInt64? = nil
  ) -> [Acknowledgement] {
    guard let asking = owner.asking, !owner.isStream(asking.answers),
      let answer = owner.answer(over: carrier, status: status)
    else {
      return []
    }
    return [Acknowledgement(from: start, until: end, framed(answer.bytes))]
  }
}
