import TelecapModels
import TelecapRecording
import TelecapWire

/// The sender of a correct peer of a declared protocol. A client sends session requests, keepalives and the teardown; a
/// host answers; either sends its streams. With a fault it is a mutant.
struct DeclaredSender: Sendable {
  private let owner: WireProtocol
  private let side: Side
  private let carrier: Carrier
  private let fault: DeclaredFault?
  /// The code that a request needs.
  private let code: String
  private let streams: [JudgedStream]
  /// The peers that get the streams, in the order of their first message.
  private var receivers: [Receiver] = []
  /// The time of the next request for a session or keepalive; nil where there is none.
  private var nextRequest: Timestamp?
  private var host: Endpoint
  private var sessionID: UInt64
  private var isOver = false

  /// A peer that gets the streams.
  private struct Receiver {
    let endpoint: Endpoint
    let carrier: Carrier
    let begin: Timestamp
    /// The id with which it closes its session.
    let id: UInt64
    /// The end of its session unless a sign of life comes before; nil where silence does not end sessions.
    var expiry: Timestamp?
    /// The time of the next message of each stream.
    var next: [Timestamp]
    /// The number of messages sent of each stream.
    var sent: [UInt64]
  }

  init(
    _ owner: WireProtocol, _ side: Side, over carrier: Carrier, to host: Endpoint, code: String, _ fault: DeclaredFault?
  ) {
    (self.owner, self.side, self.carrier, self.host, self.fault) = (owner, side, carrier, host, fault)
    self.code = code
    streams = DeclaredSending(owner: owner, side: side, carrier: carrier).streams
    sessionID = SessionSteps(owner: owner, carrier: carrier).sessionID
  }

  var nextWake: Timestamp? {
    let beats = receivers.lazy.flatMap(\.next).min()
    let expiry = fault == .ignoresTimeout ? nil : receivers.lazy.compactMap(\.expiry).min()
    return [nextRequest, beats, expiry?.advanced(byNanoseconds: 1)].compactMap(\.self).min()
  }

  /// The open sessions, in the order in which they began.
  var sessions: [Session] { receivers.map { Session(peer: $0.endpoint, id: $0.id) } }

  /// Whether these are its sessions. Runs after each message, so it builds no array.
  func hasOnly(_ sessions: [Session]) -> Bool {
    sessions.count == receivers.count
      && zip(sessions, receivers).allSatisfy { $0.peer == $1.endpoint && $0.id == $1.id }
  }

  /// A session with a peer.
  struct Session: Hashable {
    let peer: Endpoint
    /// The id with which the client closes it; 0 where it has none.
    let id: UInt64
  }

  // MARK: - Time

  mutating func start(at time: Timestamp, _ perform: Perform) {
    guard side == .client, !carrier.isConnected else { return }
    begin(at: time, perform)
  }

  /// Handles a new connection: a client begins its session over it.
  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard side == .client, carrier == self.carrier, carrier.isConnected else { return }
    host = endpoint
    begin(at: time, perform)
  }

  mutating func closed(_ endpoint: Endpoint) {
    if fault != .ignoresDisconnect { endSession(endpoint) }
    if side == .client { nextRequest = nil }
  }

  private mutating func endSession(_ endpoint: Endpoint) { receivers.removeAll { $0.endpoint == endpoint } }

  private mutating func begin(at time: Timestamp, _ perform: Perform) {
    if owner.asking == nil {
      add(host, carrier, id: 0, at: time)
    } else if fault != .opensNoSession {
      request(at: time, perform)
      if fault == .sendsUnaccepted { add(host, carrier, id: 0, at: time) }
    }
    advance(to: time, perform)
  }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    isOver = true
    nextRequest = nil
    if side == .client, owner.asking != nil, fault != .opensNoSession, fault != .noTeardown,
      let closing = owner.closing(sessionID, over: carrier)
    {
      send(closing, to: host, over: carrier, perform)
    }
    receivers = []
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let next = nextRequest, time >= next { request(at: time, perform) }
    removeExpired(at: time)
    for receiver in receivers.indices {
      for stream in streams.indices where time >= receivers[receiver].next[stream] {
        beat(stream, of: receiver, at: time, perform)
      }
    }
  }

  private mutating func removeExpired(at time: Timestamp) {
    if fault == .ignoresTimeout { return }
    receivers.removeAll { receiver in receiver.expiry.map { time > $0 } ?? false }
  }

  private mutating func beat(_ stream: Int, of receiver: Int, at time: Timestamp, _ perform: Perform) {
    let rules = streams[stream].rules
    receivers[receiver].next[stream] = time.advanced(byNanoseconds: period(of: rules))
    let age = time.nanoseconds(since: receivers[receiver].begin)
    if fault == .silentAtRest, let interval = rules.interval, age > interval { return }
    receivers[receiver].sent[stream] += 1
    let sent = receivers[receiver].sent[stream]
    let message = streams[stream].message(count: fault == .repeatsNumbers ? (sent + 1) / 2 : sent)
    send(message, to: receivers[receiver].endpoint, over: receivers[receiver].carrier, perform)
  }

  /// The interval between two messages of a stream, in ns.
  private func period(of rules: StreamRules) -> Nanoseconds {
    var period: Nanoseconds = 50_000_000
    if let interval = rules.interval { period = min(period, interval / 2) }
    if let rate = rules.rate { period = max(period, Int64((1e9 / rate).rounded(.up))) }
    if fault == .exceedsRate, let rate = rules.rate { period = Int64(1e9 / rate / 2.5) }
    return max(100_000, period)
  }

  // MARK: - Messages

  /// Handles a valid message.
  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp,
    _ perform: Perform
  ) {
    guard !isOver, kind.layoutDirection == side.other.direction else { return }
    answer(kind, to: endpoint, over: carrier, perform)
    if side == .client {
      if kind.answers, fault == .ignoresRejection || kind.accepts(bytes) {
        refresh(endpoint, carrier, id: 0, at: time)
      }
    } else {
      takeFromClient(kind, bytes, over: carrier, from: endpoint, at: time, perform)
    }
    advance(to: time, perform)
  }

  private mutating func takeFromClient(
    _ kind: MessageKind, _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp,
    _ perform: Perform
  ) {
    guard let asking = owner.asking else { return refresh(endpoint, carrier, id: 0, at: time) }
    removeExpired(at: time)
    let session = receivers.first { $0.endpoint == endpoint }
    if kind.asks {
      if fault == .ignoresSessions { return }
      let rejection = rejection(kind, bytes, of: endpoint)
      if rejection != nil, fault == .dropsRejected { return }
      if !owner.isStream(asking.answers), let answer = owner.answer(over: carrier, status: rejection) {
        send(answer, to: endpoint, over: carrier, perform)
      }
      guard rejection == nil else { return }
      refresh(endpoint, carrier, id: kind.sessionName(in: bytes) ?? 0, at: time)
    } else if let session, kind.closes(session.id, in: bytes) {
      if fault != .ignoresTeardown { endSession(endpoint) }
    } else if session != nil, owner.session?.isKeptAlive(by: kind.name) == true {
      refresh(endpoint, carrier, id: session?.id ?? 0, at: time)
    }
  }

  /// The status with which a host rejects a request; nil where it accepts it.
  private func rejection(_ kind: MessageKind, _ bytes: RawSpan, of endpoint: Endpoint) -> UInt64? {
    guard let asking = owner.asking, let accepts = asking.accepts else { return nil }
    // Where the declaration has no value for a reason, use one without another meaning.
    let declared = [accepts.value, asking.rejects.code, asking.rejects.busy]
    let other = (0...3).first { !declared.contains($0) } ?? 0
    if fault == .acceptsNobody { return asking.rejects.busy ?? other }
    if let credential = Credential(kind), !credential.isRight(bytes, code), fault != .ignoresCode {
      return asking.rejects.code ?? other
    }
    guard let clients = asking.clients, fault != .acceptsEverybody else { return nil }
    let others = receivers.count { $0.endpoint != endpoint }
    let isHolder = others < receivers.count
    return !isHolder && others >= clients ? asking.rejects.busy ?? other : nil
  }

  /// Opens the session of a peer, or keeps it alive.
  private mutating func refresh(_ endpoint: Endpoint, _ carrier: Carrier, id: UInt64, at time: Timestamp) {
    guard let index = receivers.firstIndex(where: { $0.endpoint == endpoint && $0.id == id }) else {
      receivers.removeAll { $0.endpoint == endpoint }
      return add(endpoint, carrier, id: id, at: time)
    }
    receivers[index].expiry = expiry(over: carrier, from: time)
  }

  private mutating func add(_ endpoint: Endpoint, _ carrier: Carrier, id: UInt64, at time: Timestamp) {
    receivers.append(
      Receiver(
        endpoint: endpoint, carrier: carrier, begin: time, id: id, expiry: expiry(over: carrier, from: time),
        next: streams.map { _ in time }, sent: streams.map { _ in 0 }))
  }

  private func expiry(over carrier: Carrier, from time: Timestamp) -> Timestamp? {
    guard owner.asking != nil, !carrier.isConnected else { return nil }
    return owner.session?.timeout.map { time.advanced(byNanoseconds: $0) }
  }

  private mutating func request(at time: Timestamp, _ perform: Perform) {
    nextRequest = nil
    guard let asking = owner.asking, let kind = owner.kind(named: asking.message, over: carrier) else { return }
    var message = Message.right(kind)
    Credential(kind)?.put(fault == .wrongCode ? String(code.reversed()) : code, into: &message)
    if let id = asking.id.flatMap({ kind.layout[$0] }) {
      message.put(bits: sessionID, id)
      message.seal()
    }
    send(message, to: host, over: carrier, perform)
    if fault == .changesID { sessionID &+= 1 }
    if fault == .noKeepalive || carrier.isConnected { return }
    nextRequest = time.advanced(byNanoseconds: (owner.session?.timeout ?? 3_000_000_000) / 3)
  }

  private mutating func answer(_ kind: MessageKind, to endpoint: Endpoint, over carrier: Carrier, _ perform: Perform) {
    if fault == .ignoresRequests { return }
    for request in owner.requests where request.message == kind.name {
      guard let form = owner.answer(to: request, over: carrier) else { continue }
      let stream = streams.first { $0.kind == form }
      send(stream?.message(1) ?? .right(form), to: endpoint, over: carrier, perform)
    }
  }

  private func send(_ message: Message, to endpoint: Endpoint, over carrier: Carrier, _ perform: Perform) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    var bytes = message.bytes
    if fault == .wrongChecksum, let field = message.kind.checkFields.last,
      field.offset < bytes.count
    {
      bytes[field.offset] ^= 0x5a
    }
    let payload = carrier == .tcp ? dialect.framing.framed(bytes) : bytes
    perform(.send(carrier, to: endpoint), payload.span.bytes)
  }
}
