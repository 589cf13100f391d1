import TelecapModels
import TelecapRecording
import TelecapWire

/// The sessions of clients with a host under test, by its protocol's declaration and the traffic: each from the
/// delivered request to its teardown or timeout.
struct HostSessions {
  /// A session of a client.
  struct Session {
    let peer: PeerName
    let carrier: Carrier
    /// The delivery of the request that opened it.
    let begin: Timestamp
    /// The deliveries of messages that keep it alive, in order of time. A host may ignore those with findings.
    var keepalives: [(time: Timestamp, isFlawless: Bool)]
    /// The delivery of the teardown, or the end of the connection; nil where there was neither.
    var closed: Timestamp?
    /// The first delivery after which a host may have ended it: a teardown with findings, or a request for another
    /// session.
    var doubted: Timestamp?
    /// The id with which the client closes it; nil where sessions have none.
    let id: UInt64?
  }

  /// The sessions in the order of their starts.
  let sessions: [Session]
  /// The timeout of the client's silence, in ns; nil without one.
  let timeout: Nanoseconds?

  /// The sessions of a run.
  init(_ run: JudgedRun, _ owner: WireProtocol) {
    var tracking = Tracking(owner, answers: owner.asking?.accepts == nil ? nil : run.sessionAnswers())
    var delivered = run.delivered[...]
    for (index, entry) in run.log.entries.enumerated() {
      while let next = delivered.first, next.entry == index { tracking.take(delivered.removeFirst()) }
      switch entry.what {
      case .closed(let peer), .disconnected(let peer): tracking.disconnect(peer, at: entry.time)
      default: continue
      }
    }
    sessions = tracking.sessions
    timeout = owner.session?.timeout
  }

  /// The index of the session to which a message of the host to a peer at this time belongs: its last one that had
  /// begun; nil without one. A request and its answer may be logged in either order within `settle` ns.
  func index(of peer: PeerName, at time: Timestamp, settle: Nanoseconds) -> Int? {
    sessions.lastIndex { $0.peer == peer && $0.begin <= time.advanced(byNanoseconds: settle) }
  }

  /// Whether a message of the host at this time may belong to the session before: a session of its peer, not the first,
  /// began within `settle` ns of it.
  func isAmbiguous(_ peer: PeerName, at time: Timestamp, settle: Nanoseconds) -> Bool {
    sessions.lazy.filter { $0.peer == peer }.dropFirst().contains {
      Swift.abs(time.nanoseconds(since: $0.begin)) <= settle
    }
  }

  /// The reason why a host may not send a message of a session at this time; nil where it may.
  func reason(against message: LoggedMessage, settle: Nanoseconds) -> String? {
    guard let index = index(of: message.peer, at: message.time, settle: settle) else { return "without a request" }
    let session = sessions[index]
    if let closed = session.closed {
      let late = message.time.nanoseconds(since: closed)
      if late > settle { return "\(late / 1_000_000) ms after the end of its session" }
    }
    guard let timeout, !session.carrier.isConnected, let last = session.lastKeepalive(until: message.time) else {
      return nil
    }
    let silence = message.time.nanoseconds(since: last)
    return silence > LivenessWindow(timeout: timeout, settle: settle).late
      ? "after \(silence / 1_000_000) ms of its silence" : nil
  }

  /// The times for which a host must keep a session: from a request without findings on, for the timeout after each
  /// keepalive without findings. A host may end it a little earlier (`LivenessWindow`).
  func certainTimes(of session: Session, until end: Timestamp, settle: Nanoseconds) -> [Range<Timestamp>] {
    let last = min(session.closed ?? end, session.doubted ?? end, end)
    guard let first = session.keepalives.first, first.isFlawless else { return [] }
    guard let timeout, !session.carrier.isConnected else { return first.time < last ? [first.time..<last] : [] }
    var times: [Range<Timestamp>] = []
    for keepalive in session.keepalives where keepalive.isFlawless && keepalive.time < last {
      let until = min(
        last, keepalive.time.advanced(byNanoseconds: LivenessWindow(timeout: timeout, settle: settle).early))
      guard keepalive.time < until else { continue }
      if let before = times.last, before.upperBound >= keepalive.time {
        times[times.count - 1] = before.lowerBound..<max(before.upperBound, until)
      } else {
        times.append(keepalive.time..<until)
      }
    }
    return times
  }
}

extension HostSessions {
  /// Whether a host must still have a session at this time.
  func isCertain(_ session: Session, at time: Timestamp, until end: Timestamp, settle: Nanoseconds) -> Bool {
    certainTimes(of: session, until: end, settle: settle).contains {
      $0.lowerBound.advanced(byNanoseconds: settle) <= time && time < $0.upperBound
    }
  }

  /// Whether a host may still have a session at this time.
  func isPossible(_ session: Session, at time: Timestamp, settle: Nanoseconds) -> Bool {
    if let closed = session.closed, time > closed.advanced(byNanoseconds: settle) { return false }
    guard let timeout, !session.carrier.isConnected, let last = session.lastKeepalive(until: time) else { return true }
    return time.nanoseconds(since: last) <= LivenessWindow(timeout: timeout, settle: settle).late
  }
}

extension HostSessions.Session {
  /// The last keepalive that was delivered up to this time.
  fileprivate func lastKeepalive(until time: Timestamp) -> Timestamp? {
    keepalives.last { $0.time <= time }?.time ?? keepalives.first?.time
  }
}

extension HostSessions {
  /// Tracks the deliveries of a run.
  private struct Tracking {
    let owner: WireProtocol
    /// The answers to session requests, by the entries of requests; nil where every answer grants a session.
    let answers: [Int: LoggedMessage]?
    private(set) var sessions: [Session] = []
    /// The index of the open session of each peer.
    private var open: [PeerName: Int] = [:]

    init(_ owner: WireProtocol, answers: [Int: LoggedMessage]?) { (self.owner, self.answers) = (owner, answers) }

    mutating func take(_ message: LoggedMessage) {
      guard message.isValid else { return }
      if let index = open[message.peer], hasTimedOut(index, at: message.time) { open[message.peer] = nil }
      let keepalive = (time: message.time, isFlawless: message.findings.isEmpty)
      if message.kind.asks, answers.map({ $0[message.entry]?.accepts != true }) ?? false {
        // Without an answer, or after a rejection, the session may have ended.
        return doubt(open[message.peer], at: message.time)
      }
      let id = message.kind.asks ? message.kind.sessionName(in: message.bytes.span.bytes) : nil
      if message.kind.asks, open[message.peer].map({ sessions[$0].id != id }) ?? true {
        doubt(open[message.peer], at: message.time)
        open[message.peer] = sessions.count
        sessions.append(
          Session(
            peer: message.peer, carrier: message.carrier, begin: message.time, keepalives: [keepalive], id: id))
        return
      }
      guard let index = open[message.peer] else { return }
      if message.kind.closes(sessions[index].id ?? 0, in: message.bytes.span.bytes) {
        guard keepalive.isFlawless else { return doubt(index, at: message.time) }
        sessions[index].closed = message.time
        open[message.peer] = nil
      } else if message.kind.asks || owner.session?.isKeptAlive(by: message.kind.name) == true {
        sessions[index].keepalives.append(keepalive)
      }
    }

    private mutating func doubt(_ index: Int?, at time: Timestamp) {
      guard let index else { return }
      sessions[index].doubted = sessions[index].doubted ?? time
    }

    mutating func disconnect(_ peer: PeerName, at time: Timestamp) {
      guard let index = open[peer], sessions[index].carrier.isConnected else { return }
      sessions[index].closed = time
      open[peer] = nil
    }

    private func hasTimedOut(_ index: Int, at time: Timestamp) -> Bool {
      let session = sessions[index]
      guard let timeout = owner.session?.timeout, !session.carrier.isConnected,
        let last = session.lastKeepalive(until: time)
      else { return false }
      return time.nanoseconds(since: last) > timeout
    }
  }
}

extension SessionRules {
  /// Whether a message of the client with this name keeps its session alive.
  func isKeptAlive(by name: String) -> Bool { keepalive.isEmpty || keepalive.contains(name) }
}
