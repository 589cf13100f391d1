import TelecapModels
import TelecapRecording
import TelecapWire

/// Feeds the oracle of the streams with a log.
enum StreamReader {
  /// The oracle after all of the log, and the staleness up to the last thing that happened: the silence behind the last
  /// value is the scenario's end, not the network's doing.
  static func read(_ log: RunLog, role: Role) -> (oracle: Oracle, staleness: Staleness) {
    var oracle = Oracle(Oracle.Settings(receiver: role, settle: log.settle))
    var sessions = WireSessions(isNeeded: role == .host && !log.shows.contains(.sessions))
    for entry in log.entries {
      switch entry.what {
      case .sent(let bytes, _, _, let carrier):
        if carrier == .udp { oracle.sent(bytes.span.bytes, at: entry.time) }
      case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
        sessions.delivered(bytes, from: peer)
        oracle.delivered(
          bytes.span.bytes, over: carrier, from: endpoint(peer, log), at: entry.time, sentAt: sentAt, packet: packet)
      case .replied(let bytes, let peer, let carrier):
        guard let id = sessions.opened(by: bytes, to: peer, over: carrier) else { continue }
        oracle.observed(.sessionOpened(endpoint(peer, log), sessionID: id), at: entry.time)
      case .event(let event): oracle.observed(event, at: entry.time)
      default: continue
      }
    }
    let staleness = oracle.staleness
    oracle.finish(at: log.end)
    return (oracle, staleness)
  }

  private static func endpoint(_ peer: PeerName, _ log: RunLog) -> Endpoint {
    log.peers[peer] ?? VirtualAddresses.endpoint(of: peer)
  }
}

/// The sessions of a host that does not tell of them, as they show on the wire: an ACK OK to a HELLO of another client or
/// of another session_id opens one.
private struct WireSessions {
  let isNeeded: Bool
  private var inbox = Inbox(.teleUDP)
  private var hellos: [PeerName: UInt32] = [:]
  private var current: (peer: PeerName, id: UInt32)?

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  mutating func delivered(_ bytes: [UInt8], from peer: PeerName) {
    guard isNeeded, let message = payload(bytes) else { return }
    switch inbox.read(message.span.bytes) {
    case .valid(.hello): hellos[peer] = Hello.fields.sessionID.value(in: message.span.bytes)
    case .valid(.bye):
      let id = Bye.fields.sessionID.value(in: message.span.bytes)
      if let current, current.peer == peer, current.id == id { self.current = nil }
    default: return
    }
  }

  /// The session_id of the session that this answer opens, nil when it opens none.
  mutating func opened(by bytes: [UInt8], to peer: PeerName, over carrier: Carrier?) -> UInt32? {
    guard isNeeded, let message = payload(bytes), let id = hellos[peer],
      Header.fields.type.value(in: message.span.bytes) == 2,
      Ack.fields.status.value(in: message.span.bytes) == AckStatus.ok.rawValue
    else { return nil }
    if let current, current.peer == peer, current.id == id { return nil }
    current = (peer, id)
    return id
  }

  /// The message in a datagram, or in a piece of a stream that is one frame.
  private func payload(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.starts(with: [0x54, 0x45, 0x4c, 0x45]) { return bytes }
    return bytes.dropFirst(2).starts(with: [0x54, 0x45, 0x4c, 0x45]) ? Array(bytes.dropFirst(2)) : nil
  }
}

extension JudgedRun {
  /// What the oracle says of one requirement.
  func stream(_ requirement: StreamRequirement) -> Outcome {
    guard let check = oracle?.checks[requirement] else { return .missing("it receives no stream") }
    switch check.verdict {
    case .fail:
      guard let first = check.first else { return .held }
      return .broken(
        Breach(
          time: first.time, packet: first.packet, expected: first.expected.description,
          observed: first.observed.description + (check.violations > 1 ? " (\(check.violations) times)" : "")))
    case .pass: return .held
    default: return .missing("the run did not try it, or the system did not show it")
    }
  }

  /// No requirement on the streams of this role is broken, and one was tried.
  func everyStream() -> Outcome {
    let outcomes = (oracle?.results ?? []).map { stream($0.requirement) }
    let breaches = outcomes.flatMap(\.breaches)
    if breaches.isEmpty, outcomes.allSatisfy({ $0.missing != nil }) { return .missing("the system showed nothing") }
    return Outcome(breaches: breaches)
  }
}
