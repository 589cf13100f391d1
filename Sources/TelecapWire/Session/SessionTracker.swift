import TelecapRecording

/// Watches conversations from outside and finds what no single message shows: gaps in seq, duplicates, late poses, HELLO
/// without ACK, HAPTIC outside a session, silence: whatever the protocols' declarations say of sessions
/// and streams. It sees what the capture saw, which need not be what a peer received.
///
/// Memory does not grow with the number of messages: so many pairs of endpoints are followed at a time, and so many sessions in
/// all, and the excess is reported once (`session.not-followed`).
public struct SessionTracker: Sendable {
  /// So many pairs of endpoints are followed at a time. Where they are all taken, those make room that were silent for
  /// `longSilence`.
  public static let mostPairs = 65_536
  /// So many sessions are remembered.
  public static let mostSessions = 262_144
  /// Longer than any session lasts without a sign of life, in ns: ten minutes.
  static let longSilence: Nanoseconds = 600_000_000_000

  /// Every session so far, in the order in which they opened; `id` is the place in here, from 1.
  public private(set) var sessions: [Session] = []
  private var pairs: [Pair] = []
  private var indexOfPair: [PairKey: Int] = [:]
  private var recent = RecentFlows()
  private let mostPairs: Int
  private let mostSessions: Int
  /// When it is worth looking again for pairs that make room.
  private var nextRoom = Timestamp.zero
  /// That something is not followed was said.
  private var isFull = false
  /// The open requests of pairs that were evicted.
  private var unanswered: [(finding: Finding, datagram: Datagram)] = []

  /// A tracker that has seen nothing.
  public init() { self.init(mostPairs: SessionTracker.mostPairs, mostSessions: SessionTracker.mostSessions) }

  /// With limits that a test can reach.
  init(mostPairs: Int, mostSessions: Int) { (self.mostPairs, self.mostSessions) = (mostPairs, mostSessions) }

  /// Takes the next message, whose bytes begin where `bytes` begin, and appends what it shows.
  ///
  /// - Parameter isValid: no finding of severity error; others change nothing.
  /// - Returns: the id of the session that the message belongs to, or 0.
  public mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, in datagram: Datagram, going direction: Direction, isValid: Bool,
    findings: inout [Finding]
  ) -> Int {
    guard isValid else { return 0 }
    return kind.withPart { receive(kind, $0, bytes, datagram, direction, &findings) }
  }

  @inline(__always)
  private mutating func receive(
    _ kind: MessageKind, _ part: SessionPart, _ bytes: RawSpan, _ datagram: Datagram, _ direction: Direction,
    _ findings: inout [Finding]
  ) -> Int {
    if part.isOutside { return 0 }
    let way = kind.layoutDirection
    if way != .unknown, direction != .unknown, direction != way, part.returnsOver != datagram.flow.carrier {
      findings.append(Finding(kind.owner.rules.direction, 0..<min(6, bytes.byteCount), .kind(kind)))
    }
    let fromServer = (direction == .unknown ? way : direction) == .serverToClient
    guard let index = index(of: datagram, fromServer: fromServer) else {
      full(kind, bytes, &findings)
      return 0
    }
    pairs[index].lastHeard = datagram.time
    if part.opensAlways {
      if pairs[index].session == nil { addSession(kind, index, datagram, sessionID: nil, bytes, &findings) }
    } else {
      expire(index, kind, part, datagram, fromServer, bytes.byteCount, &findings)
      receive(kind, part, bytes, index, datagram, fromServer, &findings)
      if !fromServer { pairs[index].lastFromClient = datagram.time }
    }
    if part.isNumbered, fromServer == (way == .serverToClient) { note(part, kind, bytes, index, &findings) }
    return touch(index, datagram)
  }

  /// The capture has ended at `time`: what asked for a session a second ago or earlier and was never answered; sessions of
  /// which nothing came for longer than their protocol allows are over.
  public mutating func finish(at time: Timestamp, _ found: (Finding, Datagram) throws -> Void) rethrows {
    for index in pairs.indices {
      if let session = pairs[index].session, let timeout = pairs[index].timeout,
        time.nanoseconds(since: sessions[session].lastSeen) > timeout
      {
        close(index, .timeout)
      }
      giveUp(index, at: time)
      pairs[index].requests.removeAll()
    }
    try tellUnanswered(found)
  }

  /// Requests that were never answered and are no longer waited for.
  @inline(__always)
  public mutating func tellUnanswered(_ found: (Finding, Datagram) throws -> Void) rethrows {
    if unanswered.isEmpty { return }
    for (finding, datagram) in unanswered { try found(finding, datagram) }
    unanswered = []
  }

  // MARK: - What each message does

  private mutating func receive(
    _ kind: MessageKind, _ part: SessionPart, _ bytes: RawSpan, _ index: Int, _ datagram: Datagram, _ fromServer: Bool,
    _ findings: inout [Finding]
  ) {
    if part.asks, !fromServer {
      let request = OpenRequests.Request(datagram: datagram, rule: kind.owner.unanswered, size: kind.layout.fixedSize)
      let count = bytes.byteCount
      pairs[index].requests.ask(request) { former in
        guard let rule = former.rule else { return }
        findings.append(Finding(rule, 0..<count, .packet(former.datagram.packet)))
      }
      pairs[index].offeredID = part.id?.bits(in: bytes)
    } else if part.answers, fromServer {
      pairs[index].requests.answer()
      if part.accepts.map({ $0.field.bits(in: bytes) == $0.value }) ?? true {
        open(index, kind, datagram, bytes, &findings)
      }
      pairs[index].lastAnswer = datagram.time
    } else if part.isLifeOfLink, fromServer, datagram.flow.carrier == .ble {
      // Nothing answers there: a sign of life shows that there is a session.
      open(index, kind, datagram, bytes, &findings)
      pairs[index].lastAnswer = datagram.time
    } else if part.closes, !fromServer || part.returnsOver == datagram.flow.carrier {
      receiveClosing(kind, bytes, index)
    } else if let rule = part.needed, fromServer == (kind.layoutDirection == .serverToClient),
      pairs[index].session == nil
    {
      findings.append(Finding(rule, 0..<bytes.byteCount))
    }
  }

  /// Any name closes a session where what opened it is not in the capture.
  private mutating func receiveClosing(_ kind: MessageKind, _ bytes: RawSpan, _ index: Int) {
    guard let session = pairs[index].session else { return }
    if let id = sessions[session].sessionID, !kind.closes(id, in: bytes) { return }
    close(index, .bye)
  }

  /// The place of a message in the order of its streams.
  @inline(__always)
  private mutating func note(
    _ part: SessionPart, _ kind: MessageKind, _ bytes: RawSpan, _ index: Int, _ findings: inout [Finding]
  ) {
    guard let order = part.onlyOrder else { return noteEach(part, kind, bytes, index, &findings) }
    guard let seq = order.bits(in: bytes) else { return }
    let (arrival, newest) = pairs[index].streams.receive(seq, of: kind, part)
    if case .next = arrival { return }
    if case .gap(let missing) = arrival, pairs[index].streams.hasOthers {
      return gap(missing, seq, newest, 0, part.numbered[0], kind, index, &findings)
    }
    found(arrival, seq, newest, order, kind, &findings)
  }

  /// The same where there are keys, or several orders.
  @inline(never)
  private mutating func noteEach(
    _ part: SessionPart, _ kind: MessageKind, _ bytes: RawSpan, _ index: Int, _ findings: inout [Finding]
  ) {
    for place in part.numbered.indices {
      let numbered = part.numbered[place]
      guard let seq = numbered.order.bits(in: bytes) else { continue }
      let streams = pairs[index].streams.place(of: kind, place, numbered)
      let received = pairs[index].streams.others[streams].sequences.receive(seq) {
        part.keys[numbered.key.lowerBound + $0].bits(in: bytes) ?? 0
      }
      if let received {
        if case .gap(let missing) = received.arrival {
          gap(missing, seq, received.newest, received.explained, numbered, kind, index, &findings)
        } else if received.explained > 0 {
          gap(0, seq, received.newest, received.explained, numbered, kind, index, &findings)
        } else {
          found(received.arrival, seq, received.newest, numbered.order, kind, &findings)
        }
      } else if !pairs[index].streams.others[streams].isFull {
        pairs[index].streams.others[streams].isFull = true
        findings.append(Finding(kind.owner.rules.seqNotFollowed, numbered.order.range, .kind(kind)))
      }
    }
  }

  /// Numbers that lack before this one: what other messages of the sender hold of them is no loss, which is said once.
  @inline(never)
  private mutating func gap(
    _ missing: Int, _ seq: UInt64, _ newest: UInt64, _ explained: Int, _ numbered: SessionPart.Numbered,
    _ kind: MessageKind, _ index: Int, _ findings: inout [Finding]
  ) {
    let others = missing == 0 ? 0 : pairs[index].streams.explained(missing, before: seq, after: newest, numbered, kind)
    if explained + others > 0, !pairs[index].streams.isShared {
      pairs[index].streams.isShared = true
      findings.append(
        Finding(
          kind.owner.rules.seqShared, numbered.order.range, .sequence(seq, newest: newest, missing: explained + others))
      )
    }
    if missing > others { found(.gap(missing: missing - others), seq, newest, numbered.order, kind, &findings) }
  }

  @inline(never)
  private func found(
    _ arrival: SequenceTracker.Arrival, _ seq: UInt64, _ newest: UInt64, _ order: FieldPlace, _ kind: MessageKind,
    _ findings: inout [Finding]
  ) {
    let rule: Rule
    var missing = 0
    switch arrival {
    case .next: return
    case .gap(let count): (rule, missing) = (kind.owner.rules.seqGap, count)
    case .duplicate: rule = kind.owner.rules.seqDuplicate
    case .late: rule = kind.owner.rules.seqReordered
    }
    findings.append(Finding(rule, order.range, .sequence(seq, newest: newest, missing: missing)))
  }

  // MARK: - Sessions

  private mutating func open(
    _ index: Int, _ kind: MessageKind, _ datagram: Datagram, _ bytes: RawSpan, _ findings: inout [Finding]
  ) {
    let offered = pairs[index].offeredID
    if let session = pairs[index].session {
      guard let offered else { return }
      // A capture that began within the session learns the id from the next HELLO.
      let id = sessions[session].sessionID ?? offered
      sessions[session].sessionID = id
      if id == offered { return }
      close(index, .replaced)
    }
    pairs[index].streams.forget()
    addSession(kind, index, datagram, sessionID: offered, bytes, &findings)
  }

  private mutating func addSession(
    _ kind: MessageKind, _ index: Int, _ datagram: Datagram, sessionID: UInt64?, _ bytes: RawSpan,
    _ findings: inout [Finding]
  ) {
    guard sessions.count < mostSessions else {
      pairs[index].closing = nil
      return full(kind, bytes, &findings)
    }
    let key = pairs[index].key
    pairs[index].timeout = key.carrier == .tcp ? nil : kind.withPart(\.timeout)
    sessions.append(
      Session(
        id: sessions.count + 1, protocolName: kind.owner.name, carrier: key.carrier, client: key.client,
        server: key.server,
        sessionID: sessionID, opened: datagram.time))
    pairs[index].session = sessions.count - 1
  }

  private mutating func close(_ index: Int, _ reason: Session.End) {
    guard let session = pairs[index].session else { return }
    sessions[session].end = reason
    pairs[index].closing = session
    pairs[index].session = nil
    pairs[index].streams.forget()
  }

  /// Counts the message for its session, also for the one that it closed.
  private mutating func touch(_ index: Int, _ datagram: Datagram) -> Int {
    guard let session = pairs[index].session ?? pairs[index].closing else { return 0 }
    if pairs[index].closing != nil { pairs[index].closing = nil }
    sessions[session].count(at: datagram.time)
    return session + 1
  }

  /// Too long a silence, on either side, ends a session over UDP; over Bluetooth that of the server's signs of life.
  private mutating func expire(
    _ index: Int, _ kind: MessageKind, _ part: SessionPart, _ datagram: Datagram, _ fromServer: Bool, _ count: Int,
    _ findings: inout [Finding]
  ) {
    guard let session = pairs[index].session, datagram.flow.carrier != .tcp, let timeout = part.timeout else { return }
    let isOverLink = datagram.flow.carrier == .ble
    let opened = sessions[session].opened
    let client = datagram.time.nanoseconds(since: max(pairs[index].lastFromClient ?? opened, opened))
    let server = datagram.time.nanoseconds(since: max(pairs[index].lastAnswer ?? opened, opened))
    let silence = isOverLink ? server : max(client, server)
    guard silence > timeout else { return }
    let from: Direction = !isOverLink && client >= server ? .clientToServer : .serverToClient
    findings.append(Finding(kind.owner.rules.silence, 0..<count, .silence(kind, from, nanoseconds: silence)))
    close(index, .timeout)
    pairs[index].closing = nil
  }

  // MARK: - Pairs

  /// The place of the pair that a message belongs to; nil where as many are followed as may be, and this is none of them.
  @inline(__always)
  private mutating func index(of datagram: Datagram, fromServer: Bool) -> Int? {
    if let index = recent.index(of: datagram.flow, fromServer: fromServer) { return index }
    return find(datagram.flow, fromServer: fromServer, at: datagram.time)
  }

  @inline(never)
  private mutating func find(_ flow: Flow, fromServer: Bool, at time: Timestamp) -> Int? {
    let key = PairKey(flow, fromServer: fromServer)
    guard let index = indexOfPair[key] ?? add(key, at: time) else { return nil }
    recent.remember(index, flow, fromServer: fromServer)
    return index
  }

  private mutating func add(_ key: PairKey, at time: Timestamp) -> Int? {
    if pairs.count >= mostPairs { makeRoom(at: time) }
    guard pairs.count < mostPairs else { return nil }
    pairs.append(Pair(key: key))
    indexOfPair[key] = pairs.count - 1
    return pairs.count - 1
  }

  /// Forgets the pairs that were silent for long, at most every minute.
  private mutating func makeRoom(at time: Timestamp) {
    guard time >= nextRoom else { return }
    nextRoom = time.advanced(byNanoseconds: SessionTracker.longSilence / 10)
    let silent = pairs.partition { time.nanoseconds(since: $0.lastHeard) > SessionTracker.longSilence }
    for index in silent..<pairs.endIndex { giveUp(index, at: time) }
    pairs.removeSubrange(silent...)
    indexOfPair = Dictionary(uniqueKeysWithValues: pairs.indices.map { (pairs[$0].key, $0) })
    recent = RecentFlows()
    if pairs.count < mostPairs { isFull = false }
  }

  /// Notes what a pair asked for a second ago or earlier, and was never answered.
  private mutating func giveUp(_ index: Int, at time: Timestamp) {
    var late: [(finding: Finding, datagram: Datagram)] = []
    pairs[index].requests.giveUp(at: time) { if let finding = $0.finding { late.append(finding) } }
    unanswered += late
  }

  /// Says once that something is not followed, for there is too much.
  @inline(never)
  private mutating func full(_ kind: MessageKind, _ bytes: RawSpan, _ findings: inout [Finding]) {
    if isFull { return }
    isFull = true
    findings.append(Finding(kind.owner.rules.notFollowed, 0..<bytes.byteCount, .kind(kind)))
  }
}

/// The pairs of the last few flows, so that a packet of a conversation that goes on needs no hashing: one place for each
/// value of a few bits of the ports.
private struct RecentFlows: Sendable {
  private struct Place: Sendable {
    var flow: Flow
    var fromServer: Bool
    var index: Int
  }

  private var places: [Place?] = Array(repeating: nil, count: 8)

  @inline(__always)
  func index(of flow: Flow, fromServer: Bool) -> Int? {
    guard let place = places[RecentFlows.place(of: flow)], place.fromServer == fromServer,
      RecentFlows.isSame(place.flow.source, flow.source),
      RecentFlows.isSame(place.flow.destination, flow.destination), place.flow.carrier == flow.carrier
    else { return nil }
    return place.index
  }

  mutating func remember(_ index: Int, _ flow: Flow, fromServer: Bool) {
    places[RecentFlows.place(of: flow)] = Place(flow: flow, fromServer: fromServer, index: index)
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

/// A client and a server, and what is known of their conversation.
private struct Pair: Sendable {
  let key: PairKey
  /// The place of the open session.
  var session: Int?
  /// How long a silence ends it, in ns; nil where none does.
  var timeout: Nanoseconds?
  /// The session that the message at hand has just closed: the message still belongs to it.
  var closing: Int?
  /// The name of the session that was asked for last.
  var offeredID: UInt64?
  /// The requests for a session that wait for an answer.
  var requests = OpenRequests()
  var lastFromClient: Timestamp?
  var lastAnswer: Timestamp?
  /// When its last message came.
  var lastHeard = Timestamp.zero
  var streams = NumberedStreams()

  init(key: PairKey) { self.key = key }
}

extension OpenRequests.Request {
  /// That it was never answered.
  fileprivate var finding: (finding: Finding, datagram: Datagram)? {
    rule.map { (Finding($0, 0..<size, .packet(datagram.packet)), datagram) }
  }
}

/// Both ends, told apart by their part.
private struct PairKey: Hashable, Sendable {
  let carrier: Carrier
  let client: Endpoint
  let server: Endpoint

  init(_ flow: Flow, fromServer: Bool) {
    carrier = flow.carrier
    client = fromServer ? flow.destination : flow.source
    server = fromServer ? flow.source : flow.destination
  }

  /// Ports and the low halves of the addresses are enough for a hash of pairs; equality decides.
  func hash(into hasher: inout Hasher) {
    let ports = UInt64(client.port) << 16 | UInt64(server.port)
    hasher.combine(client.address.low ^ server.address.low &* 0x9e37_79b9_7f4a_7c15 ^ ports << 32)
  }
}

extension Session {
  /// One more message, at this time.
  fileprivate mutating func count(at time: Timestamp) {
    lastSeen = max(lastSeen, time)
    messages += 1
  }
}
