import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// One of our own peers on real sockets, checked by its deliveries and its events.
public struct JudgedPeer: Sendable {
  /// Its UDP address.
  public let udp: Endpoint?
  /// Its listening TCP address.
  public let listening: Endpoint?
  private let running: RunningPeer
  private let judge: Locked<JudgedTraffic>

  /// The time in ns that a receiver has to show the right value on the wall clock (semantics.md).
  public static let settle: Nanoseconds = 50_000_000

  /// Starts `peer` on free ports of the loopback address, with the requirements of these streams.
  ///
  /// - Parameter alias: the address at which the peer sees any other side; nil for their real addresses.
  public static func start<P: Peer>(
    _ peer: P, receiver: Role, _ streams: [JudgedStream], alias: Endpoint? = nil, listens: Bool
  ) async throws -> JudgedPeer {
    let judge = Locked(JudgedTraffic(Oracle(streams, settle: settle, countsMessages: true), receiver))
    let free = Endpoint(.loopback, port: 0)
    let watched = WatchedPeer(peer, judge, alias: alias)
    let running = try await RunningPeer.start(watched, PeerSockets(udp: free, listen: listens ? free : nil)) { _, _ in }
    return JudgedPeer(udp: running.udp, listening: running.listening, running: running, judge: judge)
  }

  /// Starts a run at this time of day.
  public func began(at time: Timestamp) { judge.with { $0.origin = time } }

  /// Handles a packet that the recording sent.
  public func planned(_ packet: ReplayPacket, _ bytes: RawSpan) { judge.with { $0.planned(packet, bytes) } }

  /// Handles a packet that is sent next, from `flow`'s source.
  public func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) {
    judge.with { $0.loaded(packet, flow, bytes) }
  }

  /// Ends the check, then lets the peer end its session; returns the number of datagrams that the kernel dropped
  /// before. Call it after the settle time. The age of information is measured up to the last delivery.
  public func finish() async throws -> (oracle: Oracle, staleness: Staleness, droppedByKernel: Int) {
    let (oracle, staleness) = judge.with { judge in
      let staleness = judge.staleness
      judge.finish(at: WallClock.now())
      return (judge.oracle, staleness)
    }
    try await running.stop()
    return (oracle, staleness, try await running.droppedByKernel)
  }
}

/// The state that the sending and the receiving thread share.
private struct JudgedTraffic: Sendable {
  var oracle: Oracle
  /// The start of the run.
  var origin = Timestamp.zero
  private var journal: SentJournal
  /// The packets in flight for each of our ports, in order.
  private var onTheWay: [UInt16: [Sent]] = [:]
  private var isFinished = false
  private var lastDelivery = Timestamp.zero

  /// The age of the values that the peer applied, up to the last delivery.
  var staleness: Staleness {
    var staleness = oracle.staleness
    staleness.finish(at: lastDelivery)
    return staleness
  }

  /// A packet in flight, identified by its bytes, since the network may lose the one before it.
  struct Sent {
    var digest: Int
    var number: Int
    var sentAt: Timestamp
  }

  init(_ oracle: Oracle, _ receiver: Role) {
    self.oracle = oracle
    journal = SentJournal(to: receiver)
  }

  mutating func planned(_ packet: ReplayPacket, _ bytes: RawSpan) {
    var absolute = packet
    absolute.sentAt = origin.advanced(byNanoseconds: packet.sentAt).nanoseconds
    journal.add(absolute, bytes)
  }

  mutating func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) {
    let sent = Sent(
      digest: JudgedTraffic.digest(bytes), number: packet.number, sentAt: origin.advanced(byNanoseconds: packet.sentAt))
    onTheWay[flow.source.port, default: []].append(sent)
  }

  /// Handles received bytes, and returns their packet, where it can be identified.
  mutating func arrived(_ bytes: RawSpan, from source: Endpoint, at now: Timestamp) -> Sent? {
    guard !isFinished else { return nil }
    lastDelivery = now
    tellSent(until: now)
    return take(JudgedTraffic.digest(bytes), from: source.port)
  }

  /// Handles bytes that the peer gets next.
  mutating func delivered(_ bytes: RawSpan, _ carrier: Carrier, from source: Endpoint, at now: Timestamp, _ sent: Sent?)
  {
    guard !isFinished else { return }
    oracle.delivered(bytes, over: carrier, from: source, at: now, sentAt: sent?.sentAt, packet: sent?.number ?? 0)
  }

  mutating func opened(_ peer: Endpoint) { oracle.opened(peer) }

  mutating func closed(_ peer: Endpoint, at now: Timestamp) {
    if !isFinished { oracle.closed(peer, at: now) }
  }

  mutating func observed(_ event: PeerEvent, at now: Timestamp) {
    if !isFinished { oracle.observed(event, at: now) }
  }

  mutating func finish(at now: Timestamp) {
    tellSent(until: now)
    oracle.finish(at: now)
    isFinished = true
  }

  private mutating func tellSent(until now: Timestamp) {
    while let sent = journal.takeSent(until: now.nanoseconds) {
      oracle.sent(
        sent.kind, over: sent.carrier, at: Timestamp(nanoseconds: sent.time), packet: sent.packet)
    }
  }

  /// The packet of these bytes: the first one that equals them. Nil for joined segments of a byte stream.
  private mutating func take(_ digest: Int, from port: UInt16) -> Sent? {
    guard let place = onTheWay[port]?.firstIndex(where: { $0.digest == digest }) else { return nil }
    defer { onTheWay[port]?.removeFirst(place + 1) }
    return onTheWay[port]?[place]
  }

  private static func digest(_ bytes: RawSpan) -> Int {
    bytes.withUnsafeBytes { buffer in
      var hasher = Hasher()
      hasher.combine(bytes: buffer)
      return hasher.finalize()
    }
  }
}

/// A peer whose deliveries and events are passed to the oracle.
private struct WatchedPeer<P: Peer>: Peer {
  private var peer: P
  private let judge: Locked<JudgedTraffic>
  /// The address at which the peer sees the other side, and the other side's real address.
  private let alias: Endpoint?
  private var real: Endpoint?

  init(_ peer: P, _ judge: Locked<JudgedTraffic>, alias: Endpoint?) {
    self.peer = peer
    self.judge = judge
    self.alias = alias
  }

  var nextWake: Timestamp? { peer.nextWake }
  var isFinished: Bool { peer.isFinished }

  mutating func start(at time: Timestamp, _ perform: Perform) {
    let watch = watch(at: time)
    peer.start(at: time) { watch.pass($0, $1, perform) }
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if carrier == .tcp { judge.with { $0.opened(endpoint) } }
    let watch = watch(at: time)
    peer.opened(carrier, endpoint, at: time) { watch.pass($0, $1, perform) }
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    if alias != nil { real = endpoint }
    let sent = judge.with { $0.arrived(bytes, from: endpoint, at: time) }
    let watch = watch(at: time)
    // As in virtual time, pass a byte stream byte by byte: the effect of a message depends on the one before.
    let step = carrier == .tcp ? 1 : max(1, bytes.byteCount)
    for start in stride(from: 0, to: max(1, bytes.byteCount), by: step) {
      let part = bytes.extracting(start..<min(start + step, bytes.byteCount))
      hear(part, carrier, from: endpoint, sent, watch, perform)
    }
  }

  private mutating func hear(
    _ bytes: RawSpan, _ carrier: Carrier, from endpoint: Endpoint, _ sent: JudgedTraffic.Sent?, _ watch: Watch,
    _ perform: Perform
  ) {
    judge.with { $0.delivered(bytes, carrier, from: endpoint, at: watch.time, sent) }
    peer.receive(bytes, over: carrier, from: alias ?? endpoint, at: watch.time) { watch.pass($0, $1, perform) }
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    judge.with { $0.closed(endpoint, at: time) }
    let watch = watch(at: time)
    peer.closed(endpoint, at: time) { watch.pass($0, $1, perform) }
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    let watch = watch(at: time)
    peer.advance(to: time) { watch.pass($0, $1, perform) }
  }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    let watch = watch(at: time)
    peer.stop(at: time) { watch.pass($0, $1, perform) }
  }

  private func watch(at time: Timestamp) -> Watch { Watch(judge: judge, alias: alias, real: real, time: time) }
}

/// Handles the actions of one call to a watched peer.
private struct Watch {
  let judge: Locked<JudgedTraffic>
  let alias: Endpoint?
  let real: Endpoint?
  let time: Timestamp

  /// Sends messages for the alias to its real address, and to none before that is known.
  func pass(_ action: PeerAction, _ bytes: RawSpan, _ perform: Perform) {
    switch action {
    case .event(let event):
      judge.with { $0.observed(event, at: time) }
      perform(action, bytes)
    case .disconnect(let peer):
      judge.with { $0.closed(peer, at: time) }
      perform(action, bytes)
    case .send(let carrier, let to) where to == alias:
      if let real { perform(.send(carrier, to: real), bytes) }
    default: perform(action, bytes)
    }
  }
}
