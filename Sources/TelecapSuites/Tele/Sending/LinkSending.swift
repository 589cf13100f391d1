import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The rules only for Bluetooth: a host's HEARTBEAT, a phone's AUTH.
extension SenderRule {
  static let heartbeat = SenderRule(Requirement.hostSending.named("tele.session.heartbeat"), restsOnTime: true) { run in
    run.isOverLink ? run.heartbeats() : .missing("HEARTBEAT goes over Bluetooth")
  }
  static let auth = SenderRule(Requirement.phoneSending.named("tele.phone.auth")) { run in
    run.isOverLink ? run.auths() : .missing("AUTH goes over Bluetooth")
  }
}

extension JudgedRun {
  /// Checks that HEARTBEAT comes at its rate to the active link, with its form, counter and clock, and that all other
  /// messages are a host's.
  fileprivate func heartbeats() -> Outcome {
    let sessions = linkSessions()
    let strays = strays(besides: [.haptic, .heartbeat])
    let outside = outsideLinks([.heartbeat, .config])
    guard !sessions.isEmpty else {
      let breaches = strays + outside
      return breaches.isEmpty ? .missing("no link had a session") : Outcome(breaches: breaches)
    }
    let wrong = replies.filter { $0.kind == .heartbeat && !$0.findings.isEmpty }.map { beat in
      Failure(
        time: beat.time, expected: "HEARTBEAT of 14 bytes", observed: "one of \(beat.bytes.count) bytes: \(beat.wrong)")
    }
    return Outcome(breaches: strays + outside + wrong + sessions.flatMap(beats))
  }

  /// The tolerance of a HEARTBEAT's time (inferred by telecap): a fifth of the interval, in ns.
  private static let tolerance = Tele.heartbeatInterval / 5

  private func beats(of session: LinkSession) -> [Failure] {
    let (interval, tolerance) = (Tele.heartbeatInterval, JudgedRun.tolerance + log.settle)
    let beats = replies.filter {
      $0.kind == .heartbeat && $0.isValid && $0.peer == session.peer && session.entries.contains($0.entry)
    }
    var breaches: [Failure] = []
    func gap(_ from: Timestamp, _ to: Timestamp, isBetween: Bool) {
      let took = to.nanoseconds(since: from)
      guard took > interval + tolerance || isBetween && took < interval - tolerance else { return }
      breaches.append(
        Failure(
          time: to, expected: "HEARTBEAT every \(interval / 1_000_000) ms",
          observed: isBetween ? "one after \(took / 1_000_000) ms" : "none for \(took / 1_000_000) ms"))
    }
    gap(session.begin, beats.first?.time ?? session.end, isBetween: false)
    for (before, after) in zip(beats, beats.dropFirst()) {
      gap(before.time, after.time, isBetween: true)
      breaches += disagreement(before, after)
    }
    if let last = beats.last { gap(last.time, session.end, isBetween: false) }
    return breaches
  }

  /// The failures of two consecutive HEARTBEATs in counter and clock.
  private func disagreement(_ before: LoggedMessage, _ after: LoggedMessage) -> [Failure] {
    func number(_ field: Field<UInt32, Heartbeat>, _ message: LoggedMessage) -> UInt32 {
      field.value(in: message.bytes.span.bytes) ?? 0
    }
    let counted = number(Heartbeat.fields.counter, after) &- number(Heartbeat.fields.counter, before)
    let said = Int64(number(Heartbeat.fields.uptime, after) &- number(Heartbeat.fields.uptime, before))
    let took = after.time.nanoseconds(since: before.time) / 1_000_000
    let allowed = took / 20 + 50 + (log.settle + log.lateness) / 1_000_000
    var breaches: [Failure] = []
    if counted != 1 {
      breaches.append(
        Failure(
          time: after.time, expected: "a counter of one more than \(number(Heartbeat.fields.counter, before))",
          observed: "\(number(Heartbeat.fields.counter, after))"))
    }
    if said < took - allowed || said > took + allowed {
      breaches.append(
        Failure(
          time: after.time, expected: "uptime_ms that grows by \(took), give or take \(allowed)",
          observed: "by \(said)"))
    }
    return breaches
  }

  /// Checks that a phone's first message on each link is its code, that every AUTH contains it, and that all other
  /// messages are a phone's. A link shorter than `patience` is not checked.
  fileprivate func auths() -> Outcome {
    let code = script.setup.code
    var breaches = strays(besides: [.pose])
    for auth in replies where auth.kind == .bleAuth && auth.bytes != Array(code.utf8) {
      breaches.append(
        Failure(time: auth.time, expected: "AUTH with the code \(code)", observed: "one that holds another"))
    }
    var isTried = false
    for link in links() {
      let first = replies.first { link.entries.contains($0.entry) }
      guard first != nil || link.end.nanoseconds(since: link.begin) >= JudgedRun.patience else { continue }
      isTried = true
      if first?.kind == .bleAuth { continue }
      breaches.append(
        Failure(
          time: first?.time ?? link.end, expected: "AUTH as the first that goes over a link",
          observed: first?.kind.name ?? "nothing"))
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    return isTried ? .held : .missing("no link came up")
  }

  /// The time in ns that a phone has to write its code (inferred by telecap).
  private static let patience: Nanoseconds = 1_000_000_000

  /// The links of a phone, from their opening on.
  private func links() -> [LinkSession] {
    var links: [LinkSession] = []
    var open: (peer: PeerName, entry: Int)?
    func close(_ place: Int, _ time: Timestamp) {
      guard let link = open else { return }
      open = nil
      let begin = log.entries[link.entry].time
      links.append(LinkSession(peer: link.peer, entries: link.entry..<place, begin: begin, end: time))
    }
    for (place, entry) in log.entries.enumerated() {
      switch entry.what {
      case .opened(let peer): open = (peer, place)
      case .closed, .disconnected: close(place, entry.time)
      default: continue
      }
    }
    close(log.entries.count, log.end)
    return links
  }
}
