import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// Carries out a plan against a model in virtual time: the same packets and plan lines that go over sockets, as fast as
/// they can be read, and judged at once.
public enum VirtualReplay {
  /// What a run came to.
  public struct Outcome: Sendable {
    /// What was judged and measured.
    public var oracle: Oracle
    /// Packets delivered.
    public var packets: Int
    /// Messages that the model sent.
    public var replies: Int
    /// How the run ended.
    public var outcome: ReplayOutcome
  }

  /// Runs all that comes from the feed; `flows` are the recorded ones, by their numbers.
  public static func run<P: Peer>(
    _ feed: ReplayFeed, against receiver: P, _ settings: Oracle.Settings, flows: [Flow], observer: any ReplayObserver,
    stop: StopFlag
  ) throws -> Outcome {
    let transport = VirtualTransport(receiver, settings, flows: flows)
    let observer = VirtualObserver(transport, observer)
    var work = ReplayWork(feed, transport, observer)
    var outcome = ReplayOutcome.done
    while let due = try work.nextDue() {
      if stop.isRaised {
        outcome = .stopped
        break
      }
      transport.now = max(transport.now, due)
      guard try work.load() else { throw PacingError.noRoom(due: due) }
      try work.send(at: due)
    }
    transport.finish()
    return Outcome(
      oracle: transport.run.oracle, packets: work.sent, replies: transport.run.replies, outcome: outcome)
  }
}

extension VirtualReplay {
  /// Hands over every delivery in order, with its due time in ns, and sends nothing.
  public static func list(
    _ feed: ReplayFeed, _ body: @escaping (_ due: Int64, ReplayPacket, [StreamPiece], RawSpan) throws -> Void
  ) throws {
    let transport = ListTransport(body)
    var work = ReplayWork(feed, transport, transport)
    while let due = try work.nextDue() {
      transport.due = due
      guard try work.load() else { throw PacingError.noRoom(due: due) }
      try work.send(at: due)
    }
  }
}

/// A list in place of sockets.
private final class ListTransport: ReplayTransport, ReplayObserver {
  let watchesPackets = false
  var due: Int64 = 0
  private let body: (Int64, ReplayPacket, [StreamPiece], RawSpan) throws -> Void

  init(_ body: @escaping (Int64, ReplayPacket, [StreamPiece], RawSpan) throws -> Void) { self.body = body }

  func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool {
    try body(due, packet, [], bytes)
    return true
  }

  func send(_ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan) throws {
    try body(due, packet, Array(pieces), bytes)
  }

  func flush() {}
  func receive() {}
  func began(at time: Timestamp) {}
  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) {}
  func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) {}
  func sent(at time: Int64) {}
  func replied(_ reply: Reply, _ bytes: RawSpan) {}
  func idle(packets: Int) {}
}

/// A model in place of sockets.
private final class VirtualTransport<P: Peer>: ReplayTransport {
  var run: VirtualRun<P>
  /// The run's time, ns.
  var now: Int64 = 0
  private let flows: [Flow]
  private var journal: SentJournal
  /// When the last packet would be sent unimpaired, ns.
  private var lastSent: Int64 = 0

  init(_ receiver: P, _ settings: Oracle.Settings, flows: [Flow]) {
    run = VirtualRun(receiver, settings)
    journal = SentJournal(to: settings.receiver)
    self.flows = flows
  }

  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) {
    journal.add(packet, bytes)
    lastSent = packet.sentAt
  }

  func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool {
    try deliver(packet, packet.flow, bytes)
    return true
  }

  func flush() {}
  func receive() {}

  func send(_ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan) throws {
    var start = 0
    for piece in pieces {
      guard piece.flow < flows.count else { throw ReplayError.unknownFlow(packet.number) }
      switch piece.kind {
      case .open: run.open(flows[piece.flow].source, at: Timestamp(nanoseconds: now))
      case .send(let count):
        try deliver(packet, piece.flow, bytes.extracting(start..<start + count))
        start += count
      case .close: break
      }
    }
  }

  /// The run ends with its last packet, lost or not: the recording's end is not the sender's silence.
  func finish() {
    now = max(now, lastSent)
    tellSent()
    run.finish(at: Timestamp(nanoseconds: now))
  }

  private func deliver(_ packet: ReplayPacket, _ flow: Int, _ bytes: RawSpan) throws {
    guard flow < flows.count else { throw ReplayError.unknownFlow(packet.number) }
    tellSent()
    // A piece of a stream may hold several messages, and what the second means hangs on what became of the first: so
    // judge and model hear a stream byte by byte. To both it is the same.
    let step = packet.carrier == .tcp ? 1 : max(1, bytes.byteCount)
    for start in stride(from: 0, to: max(1, bytes.byteCount), by: step) {
      run.deliver(
        bytes.extracting(start..<min(start + step, bytes.byteCount)), over: packet.carrier, from: flows[flow].source,
        at: Timestamp(nanoseconds: now), sentAt: Timestamp(nanoseconds: packet.sentAt), packet: packet.number)
    }
  }

  /// What the recording sent by now comes before what is delivered now.
  private func tellSent() {
    while let (head, time) = journal.takeSent(until: now) {
      head.withSpan { run.sent($0, at: Timestamp(nanoseconds: time)) }
    }
  }
}

/// Tells the transport what the recording sends, and the command how far the run is.
private final class VirtualObserver<P: Peer>: ReplayObserver {
  let watchesPackets = true
  private let transport: VirtualTransport<P>
  private let next: any ReplayObserver
  private var batches = 0
  private var packets = 0

  init(_ transport: VirtualTransport<P>, _ next: any ReplayObserver) {
    self.transport = transport
    self.next = next
  }

  func began(at time: Timestamp) throws {}
  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws { transport.planned(packet, bytes) }
  func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) throws {}
  func replied(_ reply: Reply, _ bytes: RawSpan) throws {}
  func idle(packets: Int) throws {}

  func sent(at time: Int64) throws {
    packets += 1
    if packets & 0xffff == 0 { try next.idle(packets: packets) }
  }
}
