import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A session of a host's run, from the HELLO that requested it to its end.
struct HostSession {
  let peer: PeerName
  /// The entries of the log at which it began and ended; the last one where it did not end.
  let entries: ClosedRange<Int>
  /// The time of its end; nil where it did not end.
  let end: Timestamp?

  /// All sessions, in order.
  static func all(of decoded: DecodedLog) -> [HostSession] {
    let log = decoded.log
    let begun = DatedSessions(decoded, fromWire: !log.shows.contains(.sessions)).byEntry
    let heard = Dictionary(grouping: decoded.delivered, by: \.entry)
    var sessions: [HostSession] = []
    var open: (peer: PeerName, id: UInt32, place: Int)?
    func close(_ place: Int, at end: Timestamp?) {
      guard let session = open else { return }
      open = nil
      sessions.append(HostSession(peer: session.peer, entries: session.place...place, end: end))
    }
    for (place, entry) in log.entries.enumerated() {
      if let open, entry.what.ends(open.peer, open.id, log, heard[place] ?? []) { close(place, at: entry.time) }
      for event in begun[place] ?? [] {
        guard case .sessionOpened(let end, let id) = event else { continue }
        close(place, at: entry.time)
        open = (log.peers.peer(at: end) ?? "", id, place)
      }
    }
    close(max(0, log.entries.count - 1), at: nil)
    return sessions
  }
}

extension RunLog.What {
  /// Whether it ends this session: the end of its connection, a BYE with its id, or a report of the host.
  fileprivate func ends(_ peer: PeerName, _ id: UInt32, _ log: RunLog, _ heard: [LoggedMessage]) -> Bool {
    switch self {
    case .closed(peer), .disconnected(peer): true
    case .event(.sessionClosed(let end, let closed, _)):
      log.peers.peer(at: end) == peer && (closed == id || closed == 0 || id == 0)
    case .delivered:
      heard.contains { $0.closes(id, of: peer) }
    default: false
    }
  }
}
