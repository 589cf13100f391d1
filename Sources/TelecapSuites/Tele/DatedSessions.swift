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
  /// The last HELLO of each peer, and its place.
  private var hellos: [PeerName: (id: UInt32, place: Int)] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  /// The sessions that the system tells of; those of one that does not tell as they show `fromWire`: an ACK OK to a HELLO
  /// of another client or of another session_id opens one.
  init(_ log: RunLog, fromWire: Bool) {
    let heard = Dictionary(grouping: log.messages(.toSystem, Tele.wire), by: \.entry)
    let said = fromWire ? Dictionary(grouping: log.messages(.fromSystem, Tele.wire), by: \.entry) : [:]
    for (place, entry) in log.entries.enumerated() {
      switch entry.what {
      case .delivered: for message in heard[place] ?? [] { delivered(message, log) }
      case .closed(let peer), .disconnected(let peer): disconnected(peer, place, log)
      case .event(.sessionOpened(let end, let id)): opened(log.peers.peer(at: end) ?? "", id, end, place)
      case .replied(_, let peer, _):
        guard let end = log.peers.endpoint(of: peer, at: entry.time) else { continue }
        for message in said[place] ?? [] { replied(message, end) }
      default: continue
      }
    }
  }

  /// What is no message opens nothing and ends nothing.
  private mutating func delivered(_ message: LoggedMessage, _ log: RunLog) {
    guard message.isValid else { return }
    let bytes = message.bytes.span.bytes
    switch message.kind {
    case .hello:
      if let id = Hello.fields.sessionID.value(in: bytes) { hellos[message.peer] = (id, message.entry) }
    // A link names its session.
    case .bleAuth: hellos[message.peer] = (0, message.entry)
    case .bye: if let current, message.closes(current.id, of: current.peer) { close(.bye, message.entry, log) }
    default: return
    }
  }

  /// A connection holds its session, and ends it.
  private mutating func disconnected(_ peer: PeerName, _ place: Int, _ log: RunLog) {
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

  /// The system answered: an ACK OK may open a session.
  private mutating func replied(_ ack: LoggedMessage, _ end: Endpoint) {
    guard ack.kind.answers, let hello = hellos[ack.peer],
      Ack.fields.status.value(in: ack.bytes.span.bytes) == AckStatus.ok.rawValue
    else { return }
    if let current, current.peer == ack.peer, current.id == hello.id { return }
    current = (ack.peer, hello.id)
    at[hello.place, default: []].append(.sessionOpened(end, sessionID: hello.id))
  }
}
