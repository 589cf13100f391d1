import TelecapModels
import TelecapRecording
import TelecapWire

/// The times at which the sessions of a run began, and at which those ended that are visible only in the traffic. A
/// host opens a session when it receives the request, before it answers and reports it, and messages between belong to
/// the session. So a session starts at its request.
public struct DatedSessions {
  /// A delivered message, or another event.
  struct Place: Hashable {
    /// The index of the entry of the log.
    let entry: Int
    /// The index of the message among those that end in the entry, from 0; 0 where it is no delivery.
    var message = 0
  }

  /// The session events, in the order in which they became visible.
  private var events: [(place: Place, event: PeerEvent)] = []
  private let log: RunLog
  /// The message that requests a session over a transport that does not carry the usual one: there the link names the
  /// session.
  private let instead: String?
  /// The last request of each peer, and its place.
  private var requests: [PeerName: (id: UInt32, place: Place)] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  /// The sessions that the system reports. Where it reports none, they are read `fromWire`: an answer opens a session
  /// if it accepts the request of another client, or one with another id.
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

  /// The session events with each message or other event.
  var byPlace: [Place: [PeerEvent]] { Dictionary(grouping: events, by: \.place).mapValues { $0.map(\.event) } }

  /// The session events with an entry of the log, by the entry's index.
  public var byEntry: [Int: [PeerEvent]] {
    Dictionary(grouping: events, by: \.place.entry).mapValues { $0.map(\.event) }
  }

  /// Handles a delivered message. An invalid one opens and ends no session.
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

  /// Handles the end of a connection, which ends its session.
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

  /// Handles a session that the system reports.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Place) {
    let request = requests[peer].flatMap { $0.id == id ? $0.place : nil }
    events.append((request ?? place, .sessionOpened(end, sessionID: id)))
  }

  /// Handles an answer of the system: one that accepts may open a session.
  private mutating func replied(_ answer: LoggedMessage, _ end: Endpoint) {
    guard answer.accepts, let request = requests[answer.peer] else { return }
    if let current, current.peer == answer.peer, current.id == request.id { return }
    current = (answer.peer, request.id)
    events.append((request.place, .sessionOpened(end, sessionID: request.id)))
  }
}
