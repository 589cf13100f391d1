import TelecapModels
import TelecapRecording
import TelecapWire

/// When the sessions of a run began, and when those ended that only show on the wire. A host has opened one when it takes the
/// request, a moment before it answers and tells of it: what reaches it in between belongs to the session already. So each is dated
/// at the request for it.
public struct DatedSessions {
  /// A message that was delivered, or anything else that happened.
  struct Place: Hashable {
    /// The index of the entry of the log.
    let entry: Int
    /// The number of the message among those that end in the entry, from 0; 0 where it is no delivery.
    var message = 0
  }

  /// What became of sessions, in the order in which that showed.
  private var events: [(place: Place, event: PeerEvent)] = []
  private let log: RunLog
  /// The message that asks where the usual one is not carried: the link names its session.
  private let instead: String?
  /// The last request of each peer, and its place.
  private var requests: [PeerName: (id: UInt32, place: Place)] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  /// The sessions that the system tells of, of any protocol; those of one that does not tell as they show `fromWire`: an answer that
  /// accepts the request of another client, or for a session of another id, opens one.
  public init(_ decoded: DecodedLog, fromWire: Bool) {
    log = decoded.log
    instead = decoded.owner?.asking?.instead?.message
    var (heard, said) = (decoded.delivered[...], fromWire ? decoded.replies[...] : [])
    for (index, entry) in log.entries.enumerated() {
      let place = Place(entry: index)
      switch entry.what {
      case .delivered:
        for (number, message) in heard.take(of: index).enumerated() {
          delivered(message, Place(entry: index, message: number))
        }
      case .closed(let peer), .disconnected(let peer): disconnected(peer, place)
      case .event(.sessionOpened(let end, let id)): opened(log.peers.peer(at: end) ?? "", id, end, place)
      case .replied(_, let peer, _):
        let messages = said.take(of: index)
        guard let end = log.peers.endpoint(of: peer, at: entry.time) else { continue }
        for message in messages { replied(message, end) }
      default: continue
      }
    }
  }

  /// What became of sessions with each message and with anything else that happened.
  var byPlace: [Place: [PeerEvent]] { Dictionary(grouping: events, by: \.place).mapValues { $0.map(\.event) } }

  /// What became of sessions with an entry of the log, by the entry's index.
  public var byEntry: [Int: [PeerEvent]] {
    Dictionary(grouping: events, by: \.place.entry).mapValues { $0.map(\.event) }
  }

  /// What is no message opens nothing and ends nothing.
  private mutating func delivered(_ message: LoggedMessage, _ place: Place) {
    guard message.isValid else { return }
    if message.kind.asks {
      let id = message.kind.sessionName(in: message.bytes.span.bytes) ?? 0
      requests[message.peer] = (UInt32(truncatingIfNeeded: id), place)
    } else if message.kind.name == instead {
      requests[message.peer] = (0, place)
    } else if let current, message.closes(current.id, of: current.peer) {
      close(.teardown, place)
    }
  }

  /// A connection holds its session, and ends it.
  private mutating func disconnected(_ peer: PeerName, _ place: Place) {
    if current?.peer == peer { close(.disconnected, place) }
  }

  private mutating func close(_ reason: PeerEvent.CloseReason, _ place: Place) {
    guard let current else { return }
    self.current = nil
    if let end = log.peers.endpoint(of: current.peer, at: log.entries[place.entry].time) {
      events.append((place, .sessionClosed(end, sessionID: current.id, reason)))
    }
  }

  /// The system told of a session.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Place) {
    let request = requests[peer].flatMap { $0.id == id ? $0.place : nil }
    events.append((request ?? place, .sessionOpened(end, sessionID: id)))
  }

  /// The system answered: an answer that accepts may open a session.
  private mutating func replied(_ answer: LoggedMessage, _ end: Endpoint) {
    guard answer.accepts, let request = requests[answer.peer] else { return }
    if let current, current.peer == answer.peer, current.id == request.id { return }
    current = (answer.peer, request.id)
    events.append((request.place, .sessionOpened(end, sessionID: request.id)))
  }
}
