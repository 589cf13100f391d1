import TelecapLoop
import TelecapRecording
import TelecapWire

/// Replays a plan in virtual time: the same packets and plan lines as over sockets, at full speed.
public enum VirtualReplay {
  /// The result of a run.
  public struct Ending: Sendable {
    /// Packets delivered.
    public var packets: Int
    /// The time at which the last of them was due, or would have been sent; since the start of the run.
    public var time: Timestamp
    /// The outcome of the run.
    public var outcome: ReplayOutcome
  }

  /// Passes the packets of the feed as steps of a `Loop` in order of time; `flows` are the recorded ones by number.
  public static func run(
    _ feed: ReplayFeed, to receiver: Role, flows: [Flow], observer: any ReplayObserver, stop: StopFlag,
    _ body: (LoopStep, RawSpan, Timestamp) throws -> Void
  ) throws -> Ending {
    try withoutActuallyEscaping(body) { body in
      var work = ReplayWork(feed, VirtualTransport(to: receiver, flows: flows, observer, body))
      var outcome = ReplayOutcome.done
      while let due = try work.nextDue() {
        if stop.isRaised {
          outcome = .stopped
          break
        }
        try work.carryOut(at: due)
      }
      return Ending(packets: work.sent, time: try work.transport.finish(), outcome: outcome)
    }
  }

  /// Passes every delivery in order, with its due time in ns, and sends nothing.
  public static func list(
    _ feed: ReplayFeed, _ body: (_ due: Nanoseconds, ReplayPacket, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      var work = ReplayWork(feed, ListTransport(body: body))
      while let due = try work.nextDue() { try work.carryOut(at: due) }
    }
  }
}

/// A transport without a clock: a packet arrives when it is due.
private protocol UntimedTransport: ReplayTransport {
  /// The time of the next loaded packet.
  var now: Nanoseconds { get set }
}

extension ReplayWork where Transport: UntimedTransport {
  /// Sends the packet that is due next.
  fileprivate mutating func carryOut(at due: Nanoseconds) throws {
    transport.now = max(transport.now, due)
    guard try load() else { throw PacingError.noRoom(due: due) }
    try send(at: due)
  }
}

/// A list in place of sockets.
private struct ListTransport: UntimedTransport {
  var now: Nanoseconds = 0
  let body: (Nanoseconds, ReplayPacket, [StreamPiece], RawSpan) throws -> Void

  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) {}

  func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool {
    try body(now, packet, [], bytes)
    return true
  }

  func send(_ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan, at time: Int64) throws {
    try body(now, packet, Array(pieces), bytes)
  }

  func flush(at time: Nanoseconds) {}
  func idle(packets: Int) {}
}

/// Steps of a loop in place of sockets.
private struct VirtualTransport: UntimedTransport {
  var now: Nanoseconds = 0
  private let body: (LoopStep, RawSpan, Timestamp) throws -> Void
  private let observer: any ReplayObserver
  private let flows: [Flow]
  /// The messages that the recording sends over byte streams.
  private var sentStreams: SentStreams
  /// The next packet of the recording: the network never runs ahead by more than this one. Nil once it is logged.
  private var next: ReplayPacket?
  private var nextBytes: [UInt8] = []
  /// The time at which the last packet would be sent without impairments, in ns.
  private var lastSent: Nanoseconds = 0
  private var packets = 0
  /// The flow of each peer's open link: a later flow is a new link.
  private var links: [Endpoint: Int] = [:]

  init(
    to receiver: Role, flows: [Flow], _ observer: any ReplayObserver,
    _ body: @escaping (LoopStep, RawSpan, Timestamp) throws -> Void
  ) {
    self.body = body
    self.observer = observer
    self.flows = flows
    sentStreams = SentStreams(to: receiver)
  }

  mutating func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws {
    try tellSent(until: .max)
    lastSent = packet.sentAt
    nextBytes.removeAll(keepingCapacity: true)
    bytes.withUnsafeBytes { nextBytes.append(contentsOf: $0) }
    next = packet
  }

  mutating func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool {
    try tellSent(until: now)
    let time = Timestamp(nanoseconds: packet.sentAt)
    let source = try source(of: packet.flow, packet)
    if packet.carrier == .ble { try link(source, packet.flow) }
    try body(
      .deliver(packet: packet.number, from: source, over: packet.carrier, sentAt: time), bytes,
      Timestamp(nanoseconds: now))
    return true
  }

  /// Opens a link with its first arriving value; it stays open until the first of the next link.
  private mutating func link(_ peer: Endpoint, _ flow: Int) throws {
    let current = links[peer]
    guard flow > current ?? -1 else { return }
    links[peer] = flow
    let time = Timestamp(nanoseconds: now)
    if current != nil { try body(.close(peer), RawSpan(), time) }
    try body(.open(peer, over: .ble), RawSpan(), time)
  }

  mutating func flush(at time: Nanoseconds) throws { try count() }

  mutating func send(
    _ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan, at time: Int64
  ) throws {
    try tellSent(until: now)
    var start = 0
    for piece in pieces {
      let source = try source(of: piece.flow, packet)
      switch piece.kind {
      case .open: try body(.open(source, over: .tcp), RawSpan(), Timestamp(nanoseconds: now))
      case .send(let count):
        try deliver(bytes.extracting(start..<start + count), packet, from: source)
        start += count
      case .close: break
      }
    }
    try count()
  }

  func idle(packets: Int) {}

  /// The end of the run: its last packet, lost or not. The end of a recording is not a silence of the sender.
  mutating func finish() throws -> Timestamp {
    now = max(now, lastSent)
    try tellSent(until: now)
    return Timestamp(nanoseconds: now)
  }

  private func source(of flow: Int, _ packet: ReplayPacket) throws -> Endpoint {
    guard flow < flows.count else { throw ReplayError.unknownFlow(packet.number) }
    return flows[flow].source
  }

  /// A segment of a byte stream may contain several messages, and the effect of the second depends on the first, so
  /// oracle and model read it byte by byte. The result is the same.
  private func deliver(_ bytes: RawSpan, _ packet: ReplayPacket, from source: Endpoint) throws {
    let step = LoopStep.deliver(
      packet: packet.number, from: source, over: .tcp, sentAt: Timestamp(nanoseconds: packet.sentAt))
    let time = Timestamp(nanoseconds: now)
    if bytes.isEmpty { return try body(step, bytes, time) }
    for place in 0..<bytes.byteCount { try body(step, bytes.extracting(place..<place + 1), time) }
  }

  /// Packets that were sent by now are logged before the current delivery.
  private mutating func tellSent(until time: Nanoseconds) throws {
    guard let packet = next, packet.sentAt <= time else { return }
    next = nil
    let sentAt = Timestamp(nanoseconds: packet.sentAt)
    let step = LoopStep.sent(
      packet: packet.number, by: try source(of: packet.flow, packet), over: packet.carrier)
    guard packet.carrier == .tcp else { return try body(step, nextBytes.span.bytes, sentAt) }
    let (body, bytes) = (body, nextBytes)
    try sentStreams.messages(in: bytes.span.bytes, flow: packet.flow) { try body(step, $0, sentAt) }
  }

  private mutating func count() throws {
    packets += 1
    if packets & 0xffff == 0 { try observer.idle(packets: packets) }
  }
}
