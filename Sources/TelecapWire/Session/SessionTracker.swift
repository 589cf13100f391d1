import TelecapRecording

/// Watches conversations from outside and finds what no single message shows: gaps in seq, duplicates, late poses, HELLO
/// without ACK, HAPTIC outside a session, silence. It sees what the capture saw, which need not be what a peer received.
///
/// Memory grows with the number of sessions and of pairs of endpoints, not of messages.
public struct SessionTracker: Sendable {
  /// Every session so far, in the order in which they opened; `id` is the place in here, from 1.
  public private(set) var sessions: [Session] = []
  private var pairs: [Pair] = []
  private var indexOfPair: [PairKey: Int] = [:]
  private var recent = RecentFlows()

  /// After so long without a sign of life each side takes the other for gone (TELE, Session rule 5), in ns.
  public static let timeout: Int64 = 3_000_000_000

  /// A tracker that has seen nothing.
  public init() {}

  /// Takes the next message, whose bytes begin where `bytes` begin, and appends what it shows.
  ///
  /// - Parameter isValid: no finding of severity error; others change nothing.
  /// - Returns: the id of the session that the message belongs to, or 0.
  public mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, in datagram: Datagram, going direction: Direction, isValid: Bool,
    findings: inout [Finding]
  ) -> Int {
    guard isValid, kind != .beacon else { return 0 }
    if kind.layoutDirection != .unknown, direction != .unknown, direction != kind.layoutDirection,
      !isByeOfHost(kind, datagram)
    {
      findings.append(Finding(.direction, 0..<min(6, bytes.byteCount), .kind(kind)))
    }
    let fromHost = (direction == .unknown ? kind.layoutDirection : direction) == .hostToPhone
    let index = index(of: datagram.flow, fromHost: fromHost)
    if kind.isMouse { return receiveMouse(index, datagram) }
    expire(index, datagram, fromHost, bytes.byteCount, &findings)
    if fromHost {
      receiveFromHost(kind, bytes, index, datagram, &findings)
    } else {
      receiveFromPhone(kind, bytes, index, datagram, &findings)
    }
    if !fromHost { pairs[index].lastFromPhone = datagram.time }
    return touch(index, datagram)
  }

  /// The capture has ended at `time`: HELLOs that are a second old or older and were never answered.
  public mutating func finish(at time: Timestamp, _ found: (Finding, Datagram) throws -> Void) rethrows {
    for index in pairs.indices {
      guard let hello = pairs[index].openHello, time.nanoseconds(since: hello.time) >= 1_000_000_000 else { continue }
      pairs[index].openHello = nil
      try found(Finding(.helloWithoutAck, 0..<Hello.layout.fixedSize, .packet(hello.packet)), hello)
    }
  }

  // MARK: - What each message does

  private mutating func receiveFromPhone(
    _ kind: MessageKind, _ bytes: RawSpan, _ index: Int, _ datagram: Datagram, _ findings: inout [Finding]
  ) {
    switch kind {
    case .hello:
      if let hello = pairs[index].openHello {
        findings.append(Finding(.helloWithoutAck, 0..<bytes.byteCount, .packet(hello.packet)))
      }
      pairs[index].openHello = datagram
      pairs[index].offeredID = Hello.fields.sessionID.value(in: bytes)
    case .pose:
      guard let seq = Pose.fields.seq.value(in: bytes) else { return }
      let newest = pairs[index].sequence.newest ?? seq
      let rule: Rule
      switch pairs[index].sequence.receive(seq) {
      case .next: return
      case .gap: rule = .seqGap
      case .duplicate: rule = .seqDuplicate
      case .late: rule = .seqReordered
      }
      findings.append(Finding(rule, Pose.fields.seq.range, .sequence(seq, newest: newest)))
    case .bye:
      receiveBye(bytes, index)
    default: return
    }
  }

  /// Only the session's own id closes it (TELE, Session rule 6); any does where its HELLO is not in the capture.
  private mutating func receiveBye(_ bytes: RawSpan, _ index: Int) {
    guard let session = pairs[index].session else { return }
    if let id = sessions[session].sessionID, id != Bye.fields.sessionID.value(in: bytes) { return }
    close(index, .bye)
  }

  /// tcp-v1 hosts send BYE too, when they stop (TELE, Messages).
  private func isByeOfHost(_ kind: MessageKind, _ datagram: Datagram) -> Bool {
    kind == .bye && datagram.flow.carrier == .tcp
  }

  private mutating func receiveFromHost(
    _ kind: MessageKind, _ bytes: RawSpan, _ index: Int, _ datagram: Datagram, _ findings: inout [Finding]
  ) {
    switch kind {
    case .ack, .ackTCP:
      pairs[index].openHello = nil
      if Ack.fields.status.value(in: bytes) == AckStatus.ok.rawValue { open(index, datagram) }
      pairs[index].lastAck = datagram.time
    case .bye where isByeOfHost(kind, datagram):
      receiveBye(bytes, index)
    case .haptic where pairs[index].session == nil:
      findings.append(Finding(.hapticOutsideSession, 0..<bytes.byteCount))
    default: return
    }
  }

  /// Any packet of a mouse belongs to the session of its flow.
  private mutating func receiveMouse(_ index: Int, _ datagram: Datagram) -> Int {
    if pairs[index].session == nil { addSession("mouse", index, datagram, sessionID: nil) }
    return touch(index, datagram)
  }

  // MARK: - Sessions

  private mutating func open(_ index: Int, _ datagram: Datagram) {
    let offered = pairs[index].offeredID
    if let session = pairs[index].session {
      guard let offered else { return }
      // A capture that began within the session learns the id from the next HELLO.
      let id = sessions[session].sessionID ?? offered
      sessions[session].sessionID = id
      if id == offered { return }
      close(index, .replaced)
    }
    pairs[index].sequence = SequenceTracker()
    addSession("tele", index, datagram, sessionID: offered)
  }

  private mutating func addSession(_ name: String, _ index: Int, _ datagram: Datagram, sessionID: UInt32?) {
    let key = pairs[index].key
    sessions.append(
      Session(
        id: sessions.count + 1, protocolName: name, carrier: key.carrier, phone: key.phone, host: key.host,
        sessionID: sessionID, opened: datagram.time))
    pairs[index].session = sessions.count - 1
  }

  private mutating func close(_ index: Int, _ reason: Session.End) {
    guard let session = pairs[index].session else { return }
    sessions[session].end = reason
    pairs[index].closing = session
    pairs[index].session = nil
    pairs[index].sequence = SequenceTracker()
  }

  /// Counts the message for its session, also for the one that it closed.
  private mutating func touch(_ index: Int, _ datagram: Datagram) -> Int {
    guard let session = pairs[index].session ?? pairs[index].closing else { return 0 }
    pairs[index].closing = nil
    sessions[session].lastSeen = max(sessions[session].lastSeen, datagram.time)
    sessions[session].messages += 1
    return session + 1
  }

  /// Silence of more than 3 s, on either side, ends a session of udp-v1 (TELE, Session rule 5).
  private mutating func expire(
    _ index: Int, _ datagram: Datagram, _ fromHost: Bool, _ count: Int, _ findings: inout [Finding]
  ) {
    guard let session = pairs[index].session, datagram.flow.carrier == .udp else { return }
    let opened = sessions[session].opened
    let phone = datagram.time.nanoseconds(since: max(pairs[index].lastFromPhone ?? opened, opened))
    let host = datagram.time.nanoseconds(since: max(pairs[index].lastAck ?? opened, opened))
    let silence = max(phone, host)
    guard silence > SessionTracker.timeout else { return }
    let from: Direction = phone >= host ? .phoneToHost : .hostToPhone
    findings.append(Finding(.silence, 0..<count, .silence(from, nanoseconds: silence)))
    close(index, .timeout)
    pairs[index].closing = nil
  }

  // MARK: - Pairs

  private mutating func index(of flow: Flow, fromHost: Bool) -> Int {
    if let index = recent.index(of: flow, fromHost: fromHost) { return index }
    let key = PairKey(flow, fromHost: fromHost)
    let index = indexOfPair[key] ?? add(key)
    recent.remember(index, flow, fromHost: fromHost)
    return index
  }

  private mutating func add(_ key: PairKey) -> Int {
    pairs.append(Pair(key: key))
    indexOfPair[key] = pairs.count - 1
    return pairs.count - 1
  }
}

/// The pairs of the last few flows, so that a packet of a conversation that goes on needs no hashing: one place for each
/// value of a few bits of the ports.
private struct RecentFlows: Sendable {
  private struct Place: Sendable {
    var flow: Flow
    var fromHost: Bool
    var index: Int
  }

  private var places: [Place?] = Array(repeating: nil, count: 8)

  func index(of flow: Flow, fromHost: Bool) -> Int? {
    guard let place = places[RecentFlows.place(of: flow)], place.fromHost == fromHost,
      RecentFlows.isSame(place.flow.source, flow.source),
      RecentFlows.isSame(place.flow.destination, flow.destination), place.flow.carrier == flow.carrier
    else { return nil }
    return place.index
  }

  mutating func remember(_ index: Int, _ flow: Flow, fromHost: Bool) {
    places[RecentFlows.place(of: flow)] = Place(flow: flow, fromHost: fromHost, index: index)
  }

  /// Fibonacci hashing of both ports: the top three bits.
  private static func place(of flow: Flow) -> Int {
    Int(((UInt32(flow.source.port) << 16 | UInt32(flow.destination.port)) &* 0x9e37_79b1) >> 29)
  }

  /// The same as `==`, in the order in which endpoints differ most often.
  private static func isSame(_ left: Endpoint, _ right: Endpoint) -> Bool {
    left.port == right.port && left.address.low == right.address.low && left.address.high == right.address.high
      && left.address.family == right.address.family
  }
}

/// A phone and a host, and what is known of their conversation.
private struct Pair: Sendable {
  let key: PairKey
  /// The place of the open session.
  var session: Int?
  /// The session that the message at hand has just closed: the message still belongs to it.
  var closing: Int?
  /// The session_id of the last HELLO.
  var offeredID: UInt32?
  /// The HELLO that waits for its ACK.
  var openHello: Datagram?
  var lastFromPhone: Timestamp?
  var lastAck: Timestamp?
  var sequence = SequenceTracker()

  init(key: PairKey) { self.key = key }
}

/// Both ends, told apart by their part.
private struct PairKey: Hashable, Sendable {
  let carrier: Carrier
  let phone: Endpoint
  let host: Endpoint

  init(_ flow: Flow, fromHost: Bool) {
    carrier = flow.carrier
    phone = fromHost ? flow.destination : flow.source
    host = fromHost ? flow.source : flow.destination
  }

  /// Ports and the low halves of the addresses tell pairs apart well enough; equality decides.
  func hash(into hasher: inout Hasher) {
    let ports = UInt64(phone.port) << 16 | UInt64(host.port)
    hasher.combine(phone.address.low ^ host.address.low &* 0x9e37_79b9_7f4a_7c15 ^ ports << 32)
  }
}
