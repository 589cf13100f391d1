import TelecapModels
import TelecapRecording
import TelecapWire

/// When the sessions of a run began, and when those ended that only show on the wire. A host has opened one when it takes
/// the request, a moment before it answers and tells of it: what reaches it in between belongs to the session already. So
/// each is dated at the request.
public struct DatedSessions {
  /// The sessions of a run of a host of this protocol, for `StreamJudging`.
  public static func of(_ owner: WireProtocol) -> @Sendable (RunLog) -> [Int: [PeerEvent]] {
    { log in DatedSessions(log, owner, fromWire: !log.shows.contains(.sessions)).at }
  }

  /// What became of sessions with an entry of the log, by the entry's place.
  public private(set) var at: [Int: [PeerEvent]] = [:]
  private let owner: WireProtocol
  /// The last request of each peer, and its place.
  private var requests: [PeerName: (id: UInt64, place: Int)] = [:]
  private var current: (peer: PeerName, id: UInt64)?

  /// The sessions that the system tells of; those of one that does not tell as they show `fromWire`: an answer that accepts the
  /// request of another client, or of another id, opens one.
  public init(_ log: RunLog, _ owner: WireProtocol, fromWire: Bool) {
    self.owner = owner
    let heard = Dictionary(grouping: log.messages(.toSystem, owner), by: \.entry)
    let said = fromWire ? Dictionary(grouping: log.messages(.fromSystem, owner), by: \.entry) : [:]
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
    if message.kind.asks {
      requests[message.peer] = (message.kind.sessionName(in: bytes) ?? 0, message.entry)
    } else if message.kind.name == owner.asking?.instead?.message {
      // A link names its session.
      requests[message.peer] = (0, message.entry)
    } else if let current, current.peer == message.peer, message.kind.closes(current.id, in: bytes) {
      close(.bye, message.entry, log)
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
      at[place, default: []].append(.sessionClosed(end, sessionID: UInt32(truncatingIfNeeded: current.id), reason))
    }
  }

  /// The system told of a session.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Int) {
    let request = requests[peer].flatMap { UInt32(truncatingIfNeeded: $0.id) == id ? $0.place : nil }
    at[request ?? place, default: []].append(.sessionOpened(end, sessionID: id))
  }

  /// The system answered: an answer that accepts may open a session.
  private mutating func replied(_ answer: LoggedMessage, _ end: Endpoint) {
    guard answer.kind.accepts(answer.bytes.span.bytes), let request = requests[answer.peer] else { return }
    if let current, current.peer == answer.peer, current.id == request.id { return }
    current = (answer.peer, request.id)
    at[request.place, default: []].append(.sessionOpened(end, sessionID: UInt32(truncatingIfNeeded: request.id)))
  }
}
