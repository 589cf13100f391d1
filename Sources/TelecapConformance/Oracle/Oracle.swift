import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges one receiver against what was delivered to it, not what was meant (semantics.md). Feed it, in order of time,
/// what was delivered and what the receiver showed.
public struct Oracle: Sendable {
  /// What became of each requirement so far.
  public private(set) var checks = CheckList()
  /// How much of what was sent took effect.
  public private(set) var fidelity = Fidelity()
  /// How old what the receiver goes by was.
  public private(set) var staleness = Staleness()

  private var streams: [StreamOracle] = []
  private var invalid: InvalidCheck?
  private let reader: DeliveryReader
  private var framers: [Endpoint: MessageFramer] = [:]
  private var client: Endpoint?
  /// The id of its session; 0 where none is known.
  private var session: UInt32 = 0
  /// When what is being delivered was sent.
  private var sentAt: Timestamp?

  /// An oracle that has seen nothing, for a receiver of these streams, all of one protocol.
  ///
  /// - Parameters:
  ///   - settle: how long the receiver may take to show the right value, in ns: 0 in virtual time, 50 ms on the wall clock.
  ///   - lateness: how much of it is there only because the machine was late, in ns.
  public init(_ streams: [JudgedStream], settle: Nanoseconds = 0, lateness: Nanoseconds = 0) {
    reader = DeliveryReader(streams.first)
    self.streams = streams.map { StreamOracle($0, settle: settle, lateness: lateness, &checks) }
    invalid = InvalidCheck(streams, settle: settle, &checks)
  }

  /// The receiver told which messages it applies or drops, and did not only show its state.
  private(set) var tellsUse = false
  /// What is delivered now was of a stream when it was sent, as far as is known.
  private var wasOfStream = true

  /// The recording sent a message, whether or not it will be delivered. Counted if it is of a stream that is judged.
  public mutating func sent(_ message: RawSpan, over carrier: Carrier, at now: Timestamp) {
    if let kind = reader.check(message, over: carrier)?.kind { sent(kind, at: now) }
  }

  /// The recording sent a message of this kind.
  public mutating func sent(_ kind: MessageKind, at now: Timestamp) {
    guard carries(kind) else { return }
    fidelity.sent += 1
    staleness.sent(at: now)
  }

  /// A datagram, or the next piece of a stream, reached the receiver.
  /// - Parameters:
  ///   - sentAt: when the recording sent it, for the age of information; nil when that is not known.
  ///   - packet: its number, by which a breach names it.
  ///   - wasOfStream: it was counted as sent: where it is no valid message, it is counted as invalid.
  public mutating func delivered(
    _ bytes: RawSpan, over carrier: Carrier, from source: Endpoint, at now: Timestamp, sentAt: Timestamp? = nil,
    packet: Int, wasOfStream: Bool = true
  ) {
    self.sentAt = sentAt
    self.wasOfStream = wasOfStream
    guard carrier == .tcp else { return message(bytes, carrier, source, now, packet) }
    guard var framer = framers.removeValue(forKey: source) ?? reader.framer else { return }
    framer.receive(bytes) { event, frame in
      if event == .message { message(frame, carrier, source, now, packet) }
    }
    framers[source] = framer
  }

  /// A datagram of a decoded log, or the next piece of a stream, reached the receiver; its messages come next.
  mutating func delivers(sentAt: Timestamp, wasOfStream: Bool) {
    (self.sentAt, self.wasOfStream) = (sentAt, wasOfStream)
  }

  /// A message of a decoded log reached the receiver.
  mutating func delivered(_ message: LoggedMessage, from source: Endpoint, packet: Int) {
    take(message.bytes.span.bytes, message.kind, message.error, message.carrier, source, message.time, packet)
  }

  /// A TCP connection of the receiver with this peer is up: its stream begins.
  public mutating func opened(_ peer: Endpoint) { framers[peer] = nil }

  /// It has ended, whoever closed it, and a session that it held with it.
  public mutating func closed(_ peer: Endpoint, at now: Timestamp) {
    framers[peer] = nil
    for place in streams.indices { streams[place].disconnected(at: now, &checks) }
  }

  /// The receiver, a client, closed its session by itself, at this time or a little later.
  mutating func left(at now: Timestamp) {
    for place in streams.indices { streams[place].leave(at: now, &checks) }
  }

  /// The next session of a client that left is open.
  mutating func rejoined(at now: Timestamp) {
    for place in streams.indices { streams[place].rejoin(at: now, &checks) }
  }

  /// The receiver, a client, ends its connection at `end`, and may have ended its session since `now`.
  mutating func disconnects(from now: Timestamp, at end: Timestamp) {
    for place in streams.indices { streams[place].disconnects(from: now, at: end, &checks) }
  }

  /// The receiver showed something.
  public mutating func observed(_ event: PeerEvent, at now: Timestamp) {
    switch event {
    case .sessionOpened(let endpoint, let id):
      (client, session) = (endpoint, id)
      for place in streams.indices where streams[place].stream.isOfClient {
        streams[place].openSession(at: now, &checks)
      }
    case .sessionClosed(let endpoint, let id, _):
      // A host may tell of the end of a session when the next one has begun, of another client or of the same.
      if let client, client != endpoint || id != 0 && session != 0 && id != session { return }
      client = nil
      for place in streams.indices where streams[place].stream.isOfClient {
        streams[place].closeSession(at: now, &checks)
      }
    default:
      if invalid != nil { judgeInvalid(at: now) }
      for place in streams.indices {
        if let reading = streams[place].observe(event, at: now, &checks) { count(reading, at: now) }
      }
    }
  }

  /// The run has ended: nothing more was delivered, and the receiver has had its settle time, unless `isCut`: its process ended.
  public mutating func finish(at now: Timestamp, isCut: Bool = false) {
    for place in streams.indices { streams[place].finish(at: now, isCut: isCut, &checks) }
    if let invalid { judgeInvalid(at: now.advanced(byNanoseconds: invalid.settling.time + 1)) }
    staleness.finish(at: now)
    for stream in streams where !stream.hasShown {
      for place in stream.checkPlaces { checks.forget(place) }
    }
    if let invalid, !streams.contains(where: \.hasShown) { invalid.allPlaces.forEach { checks.forget($0) } }
  }

  /// Keeps whether the counts of what was applied and dropped say something: not of a receiver that only shows its state.
  mutating func noteWhetherUseIsTold(shows: Set<Observable>) {
    let tells = tellsUse || streams.contains { !$0.stream.showsState && shows.contains(.stream($0.stream.rules.name)) }
    fidelity.isToldByReceiver = tells || fidelity.delivered == 0
  }

  /// What is known of a stream of which this peer's messages count; nil where the receiver has no session with it.
  func stream(_ stream: JudgedStream, servedFor peer: Endpoint) -> StreamOracle? {
    guard let found = streams.first(where: { $0.stream == stream }) else { return nil }
    if stream.isOfClient, client != peer { return nil }
    return stream.isOfOwnSession && !found.hasSession ? nil : found
  }

  /// Of the stream of this requirement something was not judged, for the machine was late. What adds up shows in what follows.
  func isTimingAmbiguous(_ requirement: String) -> Bool {
    streams.contains { one in
      one.isTimingAmbiguous && one.stream.rules.merge == .latest
        && one.stream.requirements.contains { $0.requirement.id == requirement }
    }
  }

  /// What was taken of the receiver that it does not say.
  var taken: [Taken] { streams.compactMap(\.stream.taken) }

  /// The checks that this receiver is held to.
  public var results: [Check] { checks.all }

  /// Fail when any `must` failed (with `strict` also any `should`), pass when one was tried and none failed; inconclusive
  /// otherwise.
  public func verdict(strict: Bool = false) -> Verdict {
    let judged = results.filter { $0.verdict != .inconclusive }
    if judged.contains(where: { $0.verdict == .fail && (strict || $0.requirement.level == .must) }) { return .fail }
    return judged.isEmpty ? .inconclusive : .pass
  }

  // MARK: - Deliveries

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
    if let error { return wrong(error, now, packet) }
    if reader.accepts(kind, bytes, over: carrier) {
      for place in streams.indices { streams[place].answered(over: carrier, at: now, &checks) }
    }
    var isCarried = false
    for place in streams.indices {
      guard let form = streams[place].stream.form(of: kind) else { continue }
      isCarried = true
      if streams[place].stream.isOfClient, client != source { continue }
      streams[place].deliver(bytes, form, over: carrier, packet: packet, at: now, sentAt: sentAt, &checks)
    }
    if isCarried { fidelity.delivered += 1 }
    invalid?.settling.extend(packet, at: now)
  }

  /// What is wrong changes nothing.
  private mutating func wrong(_ rule: Rule, _ now: Timestamp, _ packet: Int) {
    if wasOfStream { fidelity.invalid += 1 }
    guard invalid != nil else { return }
    for place in streams.indices { streams[place].pass(to: now, &checks) }
    // Of what was wrong before it nothing can be said.
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

  // MARK: - What the receiver shows

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

/// What is no message changes nothing: seen once the receiver has settled behind one.
private struct InvalidCheck: Sendable {
  /// Where the check of each requirement stands by which something is no message.
  private let places: [(requirement: String, place: Int)]
  /// The check of the last that was none.
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

/// Reads what is delivered by the protocol's tables.
private struct DeliveryReader: Sendable {
  private let datagrams: Dialect?
  private let frames: Dialect?
  private let writes: Dialect?
  /// By the message's place in its protocol: whether it opens or keeps a session, and by which value of which field.
  private var accepting: [Accepting?]
  /// The place of the message by which a session lives where nothing answers.
  private let life: Int?

  private struct Accepting: Sendable {
    let field: NumberPlaces?
    let value: UInt64
  }

  /// Reads what is for the receiver of a stream; without one nothing is read.
  init(_ stream: JudgedStream?) {
    datagrams = stream?.owner.dialect(over: .udp)
    frames = stream?.owner.dialect(over: .tcp)
    writes = stream?.owner.dialect(over: .ble)
    accepting = stream?.owner.messages.map { _ in nil } ?? []
    let instead = stream?.receiver == .client ? stream?.owner.asking(insteadOver: .ble) : nil
    life = instead.flatMap { stream?.owner[$0.life]?.place }
    // Only who asks for its session lives by the answers.
    guard let stream, stream.receiver == .client, let asking = stream.owner.asking else { return }
    let owner = stream.owner
    for kind in owner.messages where asking.answers.contains(kind.name) {
      let row = asking.accepts.flatMap { kind.layout[$0.field] }
      accepting[kind.place] = Accepting(field: row.map { NumberPlaces([$0]) }, value: asking.accepts?.value ?? 0)
    }
  }

  var framer: MessageFramer? { frames.map { MessageFramer($0) } }

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
