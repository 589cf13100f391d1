import TelecapModels
import TelecapRecording
import TelecapWire

/// When the sessions of a run began, and when those ended that only show on the wire. A host has opened one when it takes the
/// request, a moment before it answers and tells of it: what reaches it in between belongs to the session already. So each is dated
/// at the request for it.
public struct DatedSessions {
  /// What became of sessions with an entry of the log, by the entry's place.
  public private(set) var at: [Int: [PeerEvent]] = [:]
  /// The message that asks where the usual one is not carried: the link names its session.
  private let instead: String?
  /// The last request of each peer, and its place.
  private var requests: [PeerName: (id: UInt32, place: Int)] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  /// The sessions of a host of this protocol, of which it tells; of one that does not tell those that show on the wire.
  static func of(_ log: RunLog, _ owner: WireProtocol) -> [Int: [PeerEvent]] {
    DatedSessions(log, owner, fromWire: !log.shows.contains(.sessions)).at
  }

  /// The sessions that the system tells of; those of one that does not tell as they show `fromWire`: an answer that accepts the
  /// request of another client, or for a session of another id, opens one.
  public init(_ log: RunLog, _ owner: WireProtocol, fromWire: Bool) {
    instead = owner.asking?.instead?.message
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
    if message.kind.asks {
      let id = message.kind.sessionName(in: message.bytes.span.bytes) ?? 0
      requests[message.peer] = (UInt32(truncatingIfNeeded: id), message.entry)
    } else if message.kind.name == instead {
      requests[message.peer] = (0, message.entry)
    } else if let current, message.closes(current.id, of: current.peer) {
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
      at[place, default: []].append(.sessionClosed(end, sessionID: current.id, reason))
    }
  }

  /// The system told of a session.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Int) {
    let request = requests[peer].flatMap { $0.id == id ? $0.place : nil }
    at[request ?? place, default: []].append(.sessionOpened(end, sessionID: id))
  }

  /// The system answered: an answer that accepts may open a session.
  private mutating func replied(_ answer: LoggedMessage, _ end: Endpoint) {
    guard answer.accepts, let request = requests[answer.peer] else { return }
    if let current, current.peer == answer.peer, current.id == request.id { return }
    current = (answer.peer, request.id)
    at[request.place, default: []].append(.sessionOpened(end, sessionID: request.id))
  }
}
