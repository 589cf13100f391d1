import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// When the sessions of a run began, and when those ended that only show on the wire. A host has opened one when it takes
/// the HELLO, a moment before it answers and tells of it: what reaches it in between belongs to the session already. So
/// each is dated at the HELLO that asked for it.
struct DatedSessions {
  /// The sessions of a host's run.
  static func of(_ log: RunLog) -> [Int: [PeerEvent]] {
    DatedSessions(log, fromWire: !log.shows.contains(.sessions)).at
  }

  /// What became of sessions with an entry of the log, by the entry's place.
  private(set) var at: [Int: [PeerEvent]] = [:]
  private var framers: [PeerName: MessageFramer] = [:]
  /// The last HELLO of each peer, and its place.
  private var hellos: [PeerName: (id: UInt32, place: Int)] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  /// The sessions that the system tells of; those of one that does not tell as they show `fromWire`: an ACK OK to a HELLO
  /// of another client or of another session_id opens one.
  init(_ log: RunLog, fromWire: Bool) {
    for (place, entry) in log.entries.enumerated() {
      switch entry.what {
      case .delivered(let bytes, _, let peer, let carrier, _): delivered(bytes, peer, carrier, place, log)
      case .opened(let peer): framers[peer] = nil
      case .closed(let peer), .disconnected(let peer): disconnected(peer, place, log)
      case .event(.sessionOpened(let end, let id)): opened(log.peers.peer(at: end) ?? "", id, end, place)
      case .replied(let bytes, let peer, _):
        guard fromWire, let end = log.peers.endpoint(of: peer, at: entry.time) else { continue }
        replied(bytes, peer, end)
      default: continue
      }
    }
  }

  private mutating func delivered(
    _ bytes: [UInt8], _ peer: PeerName, _ carrier: Carrier, _ place: Int, _ log: RunLog
  ) {
    guard carrier == .tcp else { return message(bytes.span.bytes, peer, place, log) }
    var framer = framers.removeValue(forKey: peer) ?? MessageFramer(.teleTCP)
    framer.receive(bytes.span.bytes) { event, frame in
      if event == .message { message(frame, peer, place, log) }
    }
    framers[peer] = framer
  }

  private mutating func message(_ bytes: RawSpan, _ peer: PeerName, _ place: Int, _ log: RunLog) {
    switch MessageDecoder.check(bytes, as: .teleUDP).kind {
    case .hello:
      if let id = Hello.fields.sessionID.value(in: bytes) { hellos[peer] = (id, place) }
    case .bye:
      if let current, current.peer == peer, current.id == Bye.fields.sessionID.value(in: bytes) {
        close(.bye, place, log)
      }
    default: return
    }
  }

  /// A connection holds its session, and ends it.
  private mutating func disconnected(_ peer: PeerName, _ place: Int, _ log: RunLog) {
    framers[peer] = nil
    if current?.peer == peer { close(.disconnected, place, log) }
  }

  private mutating func close(_ reason: PeerEvent.CloseReason, _ place: Int, _ log: RunLog) {
    guard let current else { return }
    self.current = nil
    if let end = log.peers.endpoint(of: current.peer, at: log.entries[place].time) {
      at[place, default: []].append(.sessionClosed(end, sessionID: current.id, reason))
    }
  }

  /// The system told of a session.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Int) {
    let hello = hellos[peer].flatMap { $0.id == id ? $0.place : nil }
    at[hello ?? place, default: []].append(.sessionOpened(end, sessionID: id))
  }

  /// The system answered: an ACK OK, as a datagram or as a frame, may open a session.
  private mutating func replied(_ bytes: [UInt8], _ peer: PeerName, _ end: Endpoint) {
    let span = bytes.span.bytes
    let message = Dialect.teleUDP.begins(span) ? span : span.extracting(droppingFirst: 2)
    let kind = MessageDecoder.check(message, as: .teleUDP).kind
    guard kind == .ack || kind == .ackTCP, let hello = hellos[peer],
      Ack.fields.status.value(in: message) == AckStatus.ok.rawValue
    else { return }
    if let current, current.peer == peer, current.id == hello.id { return }
    current = (peer, hello.id)
    at[hello.place, default: []].append(.sessionOpened(end, sessionID: hello.id))
  }
}
