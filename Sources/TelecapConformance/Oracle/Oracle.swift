import TelecapModels
import TelecapRecording
import TelecapWire

/// Checks one receiver against what was delivered to it, not what was sent (semantics.md). Feed it deliveries and
/// events of the receiver in order of time.
public struct Oracle: Sendable {
  /// The state of each requirement.
  public private(set) var checks = CheckList()
  /// Counts of sent, delivered and applied messages.
  public private(set) var fidelity = Fidelity()
  /// The age of the applied values.
  public private(set) var staleness = Staleness()
  /// Counts by message and stream; nil unless they were asked for, because they cost time in every delivery.
  public private(set) var received: ReceivedMessages?

  private var streams: [StreamOracle] = []
  private var invalid: InvalidCheck?
  private let reader: DeliveryReader
  private var framers: [Endpoint: MessageFramer] = [:]
  private var client: Endpoint?
  /// The id of its session; 0 where none is known.
  private var session: UInt32 = 0
  /// The id of the session of the same client that it replaced; nil where there was none.
  private var replaced: UInt32?
  /// Whether a client's session has values that silence resets.
  private let expiresInSession: Bool
  /// The current message shares its datagram with bytes that are no message: a receiver may drop it.
  private var mayDropAll = false
  /// The time at which the current delivery was sent.
  private var sentAt: Timestamp?

  /// An oracle without observations, for a receiver of these streams of one protocol.
  ///
  /// - Parameters:
  ///   - settle: the time in ns that a receiver has to show the right value: 0 in virtual time, 50 ms on the wall
  ///     clock.
  ///   - lateness: the part of it that is due to a late machine, in ns.
  ///   - countsMessages: whether messages are counted by kind and stream.
  public init(
    _ streams: [JudgedStream], settle: Nanoseconds = 0, lateness: Nanoseconds = 0, countsMessages: Bool = false
  ) {
    if countsMessages, !streams.isEmpty { received = ReceivedMessages(streams) }
    reader = DeliveryReader(streams.first)
    expiresInSession = streams.contains { $0.isOfClient && $0.hasSilence }
    self.streams = streams.map { StreamOracle($0, settle: settle, lateness: lateness, &checks) }
    invalid = InvalidCheck(streams, settle: settle, &checks)
  }

  /// Whether the receiver reported used or dropped messages, not only its state.
  private(set) var tellsUse = false
  /// Whether the current delivery was counted as sent on a stream; true where that is not known.
  private var wasOfStream = true

  /// Counts the messages of a payload that the recording sent, delivered or not, if they are of a tested stream.
  ///
  /// - Parameter packet: the number of its packet; 0 where it has none.
  public mutating func sent(_ message: RawSpan, over carrier: Carrier, at now: Timestamp, packet: Int = 0) {
    if carrier == .udp, let dialect = reader.several {
      // The packet number of one of several messages does not show its kind.
      return dialect.eachMessage(of: message) { sent(MessageDecoder.check($0, as: dialect).kind, at: now) }
    }
    guard let kind = reader.check(message, over: carrier)?.kind else { return }
    sent(kind, over: carrier, at: now, packet: packet)
  }

  /// Counts a message of this kind that the recording sent.
  public mutating func sent(_ kind: MessageKind, over carrier: Carrier = .udp, at now: Timestamp, packet: Int = 0) {
    // A segment of a byte stream may contain messages of several kinds.
    if carrier != .tcp { received?.sent(kind, packet: packet) }
    guard carries(kind) else { return }
    fidelity.sent += 1
    staleness.sent(at: now)
  }

  /// Handles a datagram, or the next segment of a byte stream, that reached the receiver.
  /// - Parameters:
  ///   - sentAt: the time at which the recording sent it, for the age of information; nil when that is unknown.
  ///   - packet: its number, for failures.
  ///   - wasOfStream: whether it was counted as sent: if it is invalid, it is counted as such.
  public mutating func delivered(
    _ bytes: RawSpan, over carrier: Carrier, from source: Endpoint, at now: Timestamp, sentAt: Timestamp? = nil,
    packet: Int, wasOfStream: Bool = true
  ) {
    self.sentAt = sentAt
    self.wasOfStream = wasOfStream
    guard carrier == .tcp else { return datagram(bytes, carrier, source, now, packet) }
    guard var framer = framers.removeValue(forKey: source) ?? reader.framer else { return }
    framer.receive(bytes) { event, frame in
      if event == .message { message(frame, carrier, source, now, packet) }
    }
    framers[source] = framer
  }

  /// Handles a datagram of a decoded log, or the next segment of a byte stream. Its messages come next.
  mutating func delivers(sentAt: Timestamp, wasOfStream: Bool) {
    (self.sentAt, self.wasOfStream) = (sentAt, wasOfStream)
  }

  /// Handles a message of a decoded log that reached the receiver.
  mutating func delivered(_ message: LoggedMessage, from source: Endpoint, packet: Int) {
    mayDropAll = message.findings.contains { $0.rule.id == Rule.trailing.id }
    defer { mayDropAll = false }
    take(message.bytes.span.bytes, message.kind, message.error, message.carrier, source, message.time, packet)
  }

  /// Handles a new TCP connection of the receiver with this peer: its byte stream begins.
  public mutating func opened(_ peer: Endpoint) { framers[peer] = nil }

  /// Handles the end of a connection from either side, with the session on it.
  public mutating func closed(_ peer: Endpoint, at now: Timestamp) {
    framers[peer] = nil
    for place in streams.indices { streams[place].disconnected(at: now, &checks) }
  }

  /// The receiver, a client, closed its session by itself, now or a little later.
  mutating func left(at now: Timestamp) {
    for place in streams.indices { streams[place].leave(at: now, &checks) }
  }

  /// The next session of a client that left by itself is open.
  mutating func rejoined(at now: Timestamp) {
    for place in streams.indices { streams[place].rejoin(at: now, &checks) }
  }

  /// The receiver, a client, closes its connection at `end`, and may have closed its session since `now`.
  mutating func disconnects(from now: Timestamp, at end: Timestamp) {
    for place in streams.indices { streams[place].disconnects(from: now, at: end, &checks) }
  }

  /// Handles an event of the receiver.
  public mutating func observed(_ event: PeerEvent, at now: Timestamp) {
    switch event {
    case .sessionOpened(let endpoint, let id):
      (replaced, client, session) = (client == endpoint ? session : nil, endpoint, id)
      for place in streams.indices where streams[place].stream.isOfClient {
        streams[place].openSession(at: now, &checks)
      }
    case .sessionClosed(let endpoint, let id, _):
      // Ignore a late report of an old session's end after the next session began. A session may have the id 0, as
      // those have whose ids the receiver does not report.
      let isOld = id != session && (id == replaced || id != 0 && session != 0)
      if let client, client != endpoint || isOld { return }
      client = nil
      for place in streams.indices where streams[place].stream.isOfClient {
        streams[place].closeSession(at: now, &checks)
      }
    default:
      if invalid != nil { judgeInvalid(at: now) }
      for place in streams.indices {
        guard let reading = streams[place].observe(event, at: now, &checks) else { continue }
        count(reading, at: now)
        received?.react(reading, of: place)
      }
      if received != nil, event.isRefusal { received?.refuse() }
    }
  }

  /// Ends the run after the receiver's settle time, or at once if `isCut`: its process exited.
  public mutating func finish(at now: Timestamp, isCut: Bool = false) {
    for place in streams.indices { streams[place].finish(at: now, isCut: isCut, &checks) }
    if let invalid { judgeInvalid(at: now.advanced(byNanoseconds: invalid.settling.time + 1)) }
    staleness.finish(at: now)
    received?.settle()
    for stream in streams where !stream.hasShown {
      for place in stream.checkPlaces { checks.forget(place) }
    }
    if let invalid, !streams.contains(where: \.hasShown) { invalid.allPlaces.forEach { checks.forget($0) } }
  }

  /// Stores whether the counts of applied and dropped messages are valid: not for a receiver that only shows its state.
  mutating func noteWhetherUseIsTold(shows: Set<Observable>) {
    let tells = tellsUse || streams.contains { !$0.stream.showsState && shows.contains(.stream($0.stream.rules.name)) }
    fidelity.isToldByReceiver = tells || fidelity.delivered == 0
  }

  /// The state of a stream whose messages from this peer count; nil where the receiver has no session with it.
  func stream(_ stream: JudgedStream, servedFor peer: Endpoint) -> StreamOracle? {
    guard let found = streams.first(where: { $0.stream == stream }) else { return nil }
    if stream.isOfClient, client != peer { return nil }
    return stream.isOfOwnSession && !found.hasSession ? nil : found
  }

  /// Whether a check on this requirement's stream was skipped because the machine was late. Sums show it in later
  /// values.
  func isTimingAmbiguous(_ requirement: String) -> Bool {
    streams.contains { one in
      one.isTimingAmbiguous && one.stream.rules.merge == .latest
        && one.stream.requirements.contains { $0.requirement.id == requirement }
    }
  }

  /// The initial values and limits that were read from the receiver's output.
  var taken: [Taken] { streams.compactMap(\.stream.taken) }

  /// The checks of this receiver.
  public var results: [Check] { checks.all }

  /// Fail when any `must` failed (with `strict` also any `should`), pass when one was exercised and none failed;
  /// otherwise inconclusive.
  public func verdict(strict: Bool = false) -> Verdict {
    let judged = results.filter { $0.verdict != .inconclusive }
    if judged.contains(where: { $0.verdict == .fail && (strict || $0.requirement.level == .must) }) { return .fail }
    return judged.isEmpty ? .inconclusive : .pass
  }

  // MARK: - Deliveries

  @inline(__always)
  private mutating func datagram(
    _ bytes: RawSpan, _ carrier: Carrier, _ source: Endpoint, _ now: Timestamp, _ packet: Int
  ) {
    guard let dialect = reader.several, carrier == .udp else { return message(bytes, carrier, source, now, packet) }
    mayDropAll = dialect.hasInvalidMessage(besideOthers: bytes)
    defer { mayDropAll = false }
    dialect.eachMessage(of: bytes) { message($0, carrier, source, now, packet) }
  }

  @inline(__always)
  private mutating func message(
    _ bytes: RawSpan, _ carrier: Carrier, _ source: Endpoint, _ now: Timestamp, _ packet: Int
  ) {
    guard let (kind, error) = reader.check(bytes, over: carrier) else { return }
    take(bytes, kind, error, carrier, source, now, packet)
  }

  @inline(__always)
  private mutating func take(
    _ bytes: RawSpan, _ kind: MessageKind, _ error: Rule?, _ carrier: Carrier, _ source: Endpoint, _ now: Timestamp,
    _ packet: Int
  ) {
    if invalid != nil { judgeInvalid(at: now) }
    if received != nil { countDelivery(kind, isValid: error == nil, carrier, source, packet) }
    if let error { return wrong(error, now, packet) }
    if reader.accepts(kind, bytes, over: carrier) {
      for place in streams.indices { streams[place].answered(over: carrier, at: now, &checks) }
    }
    if expiresInSession, client == source, closes(kind, bytes) {
      for place in streams.indices where streams[place].stream.isOfClient { streams[place].mayEnd() }
    }
    var isCarried = false
    for place in streams.indices {
      guard let form = streams[place].stream.form(of: kind) else { continue }
      isCarried = true
      if streams[place].stream.isOfClient, client != source { continue }
      streams[place].deliver(
        bytes, form, over: carrier, packet: packet, at: now, sentAt: sentAt, mayDrop: mayDropAll, &checks)
    }
    if isCarried { fidelity.delivered += 1 }
    invalid?.settling.extend(packet, at: now)
  }

  /// Counts a message by kind. An invalid one, and one of a peer without the session that its stream needs, need not be
  /// served.
  private mutating func countDelivery(
    _ kind: MessageKind, isValid: Bool, _ carrier: Carrier, _ source: Endpoint, _ packet: Int
  ) {
    var unserved: UInt64 = 0
    for (index, one) in streams.prefix(ReceivedMessages.maxStreams).enumerated() {
      let isOutside = one.stream.isOfClient && client != source || one.stream.isOfOwnSession && !one.hasSession
      if !isValid || isOutside { unserved |= UInt64(1) << UInt64(index) }
    }
    received?.deliver(kind, packet: carrier == .tcp ? nil : packet, unserved: unserved)
  }

  /// Whether a message closes the client's session; any teardown may, where the receiver does not report ids.
  private func closes(_ kind: MessageKind, _ bytes: RawSpan) -> Bool {
    kind.closes(session == 0 ? kind.sessionName(in: bytes) ?? 0 : UInt64(session), in: bytes)
  }

  /// Handles an invalid message, which must change nothing.
  private mutating func wrong(_ rule: Rule, _ now: Timestamp, _ packet: Int) {
    if wasOfStream { fidelity.invalid += 1 }
    guard invalid != nil else { return }
    for place in streams.indices { streams[place].pass(to: now, &checks) }
    // An earlier failure hides the effect of this message.
    if streams.contains(where: \.isWrong) { return }
    for place in streams.indices { streams[place].deliverInvalid(packet, at: now, sentAt: sentAt) }
    invalid?.deliver(packet, rule, at: now)
  }

  private mutating func judgeInvalid(at now: Timestamp) {
    guard invalid?.settling.isOver(at: now) == true, let place = invalid?.place else { return }
    if let breach = streams.lazy.compactMap({ $0.mismatch(at: now) }).first {
      checks.broken(place) { breach }
    } else {
      checks.held(place)
    }
  }

  // MARK: - Events of the receiver

  private mutating func count(_ reading: JudgedStream.Reading, at now: Timestamp) {
    if reading != .shows { tellsUse = true }
    switch reading {
    case .shows: return
    case .uses, .applies: countApplied(at: now)
    case .dropsStale: fidelity.stale += 1
    case .dropsInvalid: fidelity.invalid += 1
    }
  }

  private mutating func countApplied(at now: Timestamp) {
    fidelity.applied += 1
    if let sentAt { staleness.applied(sentAt: sentAt, at: now) }
  }

  private func carries(_ kind: MessageKind) -> Bool {
    streams.contains { $0.stream.form(of: kind) != nil }
  }
}

extension PeerEvent {
  /// Whether it reports that a message was dropped as invalid, or had no effect.
  fileprivate var isRefusal: Bool {
    switch self {
    case .invalid, .ignored: true
    default: false
    }
  }
}

/// Checks that an invalid message changes nothing, once the receiver has settled after it.
private struct InvalidCheck: Sendable {
  /// The check of each requirement for invalid messages.
  private let places: [(requirement: String, place: Int)]
  /// The check of the last invalid message.
  private(set) var place: Int
  var settling: Settling

  /// Nil where no stream requires it.
  init?(_ streams: [JudgedStream], settle: Nanoseconds, _ checks: inout CheckList) {
    var places: [(requirement: String, place: Int)] = []
    for (aspect, requirement) in streams.flatMap(\.requirements) where aspect == .invalid {
      places.append((requirement.id, checks.place(of: requirement)))
    }
    guard let first = places.first else { return nil }
    (self.places, place, settling) = (places, first.place, Settling(settle))
  }

  var allPlaces: [Int] { places.map(\.place) }

  mutating func deliver(_ packet: Int, _ rule: Rule, at now: Timestamp) {
    place = (places.first { $0.requirement == rule.requirement } ?? places[0]).place
    settling.deliver(packet, at: now)
  }
}

/// Decodes deliveries by the tables of the protocol.
private struct DeliveryReader: Sendable {
  private let datagrams: Dialect?
  private let frames: Dialect?
  private let writes: Dialect?
  /// By the index of the message in its protocol: the field and value with which it opens or keeps a session; nil for
  /// other messages.
  private var accepting: [Accepting?]
  /// The index of the message that keeps a session alive where no answers do.
  private let life: Int?

  private struct Accepting: Sendable {
    let field: NumberPlaces?
    let value: UInt64
  }

  /// Reads messages for the receiver of a stream; without a stream it reads nothing.
  init(_ stream: JudgedStream?) {
    datagrams = stream?.owner.dialect(over: .udp)
    frames = stream?.owner.dialect(over: .tcp)
    writes = stream?.owner.dialect(over: .ble)
    accepting = stream?.owner.messages.map { _ in nil } ?? []
    let instead = stream?.receiver == .client ? stream?.owner.asking(insteadOver: .ble) : nil
    life = instead.flatMap { stream?.owner[$0.life]?.place }
    // Answers keep only those sessions alive that the receiver requested.
    guard let stream, stream.receiver == .client, let asking = stream.owner.asking else { return }
    let owner = stream.owner
    for kind in owner.messages where asking.answers.contains(kind.name) {
      let row = asking.accepts.flatMap { kind.layout[$0.field] }
      accepting[kind.place] = Accepting(field: row.map { NumberPlaces([$0]) }, value: asking.accepts?.value ?? 0)
    }
  }

  var framer: MessageFramer? { frames.map { MessageFramer($0) } }

  /// The protocol version of datagrams that may contain several messages; nil where each is one.
  var several: Dialect? { datagrams.flatMap { $0.hasSeveralInDatagram ? $0 : nil } }

  @inline(__always)
  func check(_ bytes: RawSpan, over carrier: Carrier) -> (kind: MessageKind, error: Rule?)? {
    guard let dialect = carrier == .udp ? datagrams : carrier == .tcp ? frames : writes else { return nil }
    return MessageDecoder.check(bytes, as: dialect)
  }

  /// Whether a valid message opens or keeps a session.
  @inline(__always)
  func accepts(_ kind: MessageKind, _ bytes: RawSpan, over carrier: Carrier) -> Bool {
    if carrier == .ble, let life { return kind.place == life }
    guard kind.place < accepting.count, let accepting = accepting[kind.place] else { return false }
    return accepting.field.map { $0.firstBits(in: bytes) == accepting.value } ?? true
  }
}
