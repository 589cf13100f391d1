import TelecapModels
import TelecapRecording
import TelecapWire

/// Feeds the oracle of the streams with a log.
enum StreamReader {
  /// The oracle after all of the log, and the staleness up to the last thing that happened: the silence behind the last
  /// value is the scenario's end, not the network's doing.
  static func read(_ log: RunLog, role: Role) -> (oracle: Oracle, staleness: Staleness) {
    var oracle = Oracle(Oracle.Settings(receiver: role, settle: log.settle))
    let sessions = DatedSessions(log, fromWire: role == .host && !log.shows.contains(.sessions))
    for (index, entry) in log.entries.enumerated() {
      switch entry.what {
      case .sent(let bytes, _, _, let carrier):
        if carrier == .udp { oracle.sent(bytes.span.bytes, at: entry.time) }
      case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
        oracle.delivered(
          bytes.span.bytes, over: carrier, from: endpoint(peer, log), at: entry.time, sentAt: sentAt, packet: packet)
      case .event(.sessionOpened): break
      case .event(let event): oracle.observed(event, at: entry.time)
      default: break
      }
      for event in sessions.at[index] ?? [] { oracle.observed(event, at: entry.time) }
    }
    let staleness = oracle.staleness
    oracle.finish(at: log.end)
    return (oracle, staleness)
  }

  private static func endpoint(_ peer: PeerName, _ log: RunLog) -> Endpoint {
    log.peers[peer] ?? VirtualAddresses.endpoint(of: peer)
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
