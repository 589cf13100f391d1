import TelecapModels
import TelecapRecording
import TelecapWire

/// The times at which the sessions of a run began and ended. A host opens a session when it receives the request,
/// before it answers and reports it, and messages between belong to the session. So a session starts at its request,
/// and an earlier session ends no later. One datagram or TCP segment may request several sessions, and end them.
public struct DatedSessions {
  /// A delivered message, or another event.
  struct Place: Hashable, Comparable {
    /// The index of the entry of the log.
    let entry: Int
    /// The index of the message among those that end in the entry, from 0; 0 where it is no delivery.
    var message = 0

    static func < (a: Place, b: Place) -> Bool { (a.entry, a.message) < (b.entry, b.message) }
  }

  /// The session events, in the order in which they became visible.
  private var events: [(place: Place, event: PeerEvent)] = []
  private let log: RunLog
  /// The message that requests a session over a transport that does not carry the usual one: there the link names the
  /// session.
  private let instead: String?
  /// The requests of each peer in its last payload with one.
  private var requests: [PeerName: Requests] = [:]
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
      case .event(.sessionClosed(let end, let id, let reason)):
        events.append((place, .sessionClosed(end, sessionID: id, reason)))
        requests[log.peers.peer(at: end) ?? ""]?.forgetUsed()
      case .replied(_, let peer, _):
        let messages = said.take(of: index)
        guard let end = log.peers.endpoint(of: peer, at: entry.time) else { continue }
        for message in messages { replied(message, end) }
      case .sent, .opened, .asked, .output, .broke, .event: continue
      }
    }
    keepOrder()
  }

  /// Dates each event no later than the next one, which may be dated at its request: reports keep their order.
  private mutating func keepOrder() {
    for index in events.indices.dropLast().reversed() {
      events[index].place = min(events[index].place, events[index + 1].place)
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
      requests[message.peer, default: Requests()].add(UInt32(truncatingIfNeeded: id), at: place)
    } else if message.kind.name == instead {
      requests[message.peer, default: Requests()].add(0, at: place)
    } else {
      if let current, message.closes(current.id, of: current.peer) { close(.teardown, place) }
      // A client may end a session before the host has answered.
      requests[message.peer]?.end(at: place) { message.closes($0, of: message.peer) }
    }
  }

  /// Handles the end of a connection, which ends its session.
  private mutating func disconnected(_ peer: PeerName, _ place: Place) {
    if current?.peer == peer { close(.disconnected, place) }
  }

  private mutating func close(_ reason: PeerEvent.CloseReason, _ place: Place) {
    guard let current else { return }
    self.current = nil
    requests[current.peer]?.forgetUsed()
    if let end = log.peers.endpoint(of: current.peer, at: log.entries[place.entry].time) {
      events.append((place, .sessionClosed(end, sessionID: current.id, reason)))
    }
  }

  /// Handles a session that the system reports.
  private mutating func opened(_ peer: PeerName, _ id: UInt32, _ end: Endpoint, _ place: Place) {
    let request = requests[peer]?.next { $0 == id }
    events.append((request?.place ?? place, .sessionOpened(end, sessionID: id)))
  }

  /// Handles an answer of the system: one that accepts may open a session.
  private mutating func replied(_ answer: LoggedMessage, _ end: Endpoint) {
    guard answer.kind.answers, let request = requests[answer.peer]?.next(where: { _ in true }), answer.accepts else {
      return
    }
    if let current, current.peer == answer.peer, current.id == request.id { return }
    current = (answer.peer, request.id)
    events.append((request.place, .sessionOpened(end, sessionID: request.id)))
    if let place = request.end { close(.teardown, place) }
  }
}

/// The requests for sessions in one payload, which are answered and reported in their order.
private struct Requests {
  /// A request, and the message that ends its session, where that came before a report or an answer.
  typealias Request = (id: UInt32, place: DatedSessions.Place, end: DatedSessions.Place?)

  private var all: [Request] = []
  /// The number of those that a report or an answer has followed.
  private var used = 0

  /// Adds a request. One of another payload replaces the others.
  mutating func add(_ id: UInt32, at place: DatedSessions.Place) {
    if let last = all.last, last.place.entry != place.entry { self = Requests() }
    all.append((id, place, nil))
  }

  /// Handles a message that ends sessions: those of requests that no report or answer has followed.
  mutating func end(at place: DatedSessions.Place, where isOf: (UInt32) -> Bool) {
    for index in all.indices.dropFirst(used) where all[index].end == nil && isOf(all[index].id) {
      all[index].end = place
    }
  }

  /// Handles the end of a session: a report or an answer after it is not that of a request before it.
  mutating func forgetUsed() {
    all.removeFirst(used)
    used = 0
  }

  /// The next request with such an id that no report or answer has followed; after that the last one, to which hosts may
  /// answer again. Nil where there is none.
  mutating func next(where isRight: (UInt32) -> Bool) -> Request? {
    guard let index = all[used...].firstIndex(where: { isRight($0.id) }) else { return all.last { isRight($0.id) } }
    used = index + 1
    return all[index]
  }
}
