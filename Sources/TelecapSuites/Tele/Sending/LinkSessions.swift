import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A session of a host over Bluetooth, as its traffic shows it. Without answers there, the right code on a link begins
/// it while no other link has one, and the end of the link ends it (inferred by telecap).
struct LinkSession {
  let peer: PeerName
  /// The entries of the log at which it began and ended, with their times; the log's end where it did not end.
  let entries: Range<Int>
  let begin: Timestamp
  let end: Timestamp
}

extension JudgedRun {
  /// Whether the run is over Bluetooth.
  var isOverLink: Bool { script.setup.carrier == .ble }

  /// The sessions of a host's run over Bluetooth, in order.
  func linkSessions() -> [LinkSession] {
    let rightCodes = Set(
      delivered.filter { $0.kind == .bleAuth && $0.bytes == Array(script.setup.code.utf8) }.map(\.entry))
    var sessions: [LinkSession] = []
    var open: (peer: PeerName, entry: Int)?
    func close(_ entry: Int, at time: Timestamp) {
      guard let served = open else { return }
      open = nil
      sessions.append(
        LinkSession(
          peer: served.peer, entries: served.entry..<entry, begin: log.entries[served.entry].time, end: time))
    }
    for (place, entry) in log.entries.enumerated() {
      switch entry.what {
      case .delivered(_, _, let peer, _, _) where rightCodes.contains(place):
        if open == nil { open = (peer, place) }
      case .closed(let peer) where peer == open?.peer, .disconnected(let peer) where peer == open?.peer:
        close(place, at: entry.time)
      default: continue
      }
    }
    close(log.entries.count, at: log.end)
    return sessions
  }

  /// The failures for messages of these kinds to a link without the session, or later after its end than a host may
  /// need to notice.
  func outsideLinks(_ kinds: Set<MessageKind>) -> [Failure] {
    let sessions = linkSessions()
    return replies.filter { kinds.contains($0.kind) }.compactMap { message in
      let isServed = sessions.contains { session in
        session.peer == message.peer && session.entries.lowerBound < message.entry
          && (message.entry < session.entries.upperBound || message.time.nanoseconds(since: session.end) < log.settle)
      }
      if isServed { return nil }
      return Failure(
        time: message.time, expected: "\(message.kind.name) to the active link only",
        observed: "\(message.peer) got one that has no session")
    }
  }
}
