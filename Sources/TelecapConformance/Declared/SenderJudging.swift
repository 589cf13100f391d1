import TelecapModels
import TelecapRecording
import TelecapWire

/// The checks for the rules of `DeclaredSending`.
extension JudgedRun {
  /// Checks that each delivered request without findings gets a right answer in time. Where the answer is a stream of
  /// which nothing was sent, the system may have nothing to send.
  ///
  /// - Parameter droppable: the entries of requests that need no answer.
  func answers(
    to kind: MessageKind, by answers: Set<String>, within timeout: Nanoseconds, besides droppable: Set<Int> = []
  ) -> Outcome {
    let allowed = timeout + log.settle + log.lateness
    let replies = replies.filter { answers.contains($0.kind.name) && $0.isValid }
    let requests = delivered.filter {
      $0.kind == kind && $0.findings.isEmpty && !droppable.contains($0.entry)
    }.filter { request in
      // Skip requests whose answer is due after the end of the run, or whose peer is gone.
      log.end.nanoseconds(since: request.time) >= allowed && !isGone(request.peer, after: request, within: allowed)
    }
    guard !requests.isEmpty else { return .missing("no \(kind.name) was delivered") }
    let isStream = kind.owner.streams.contains { answers.contains($0.message) }
    if isStream, replies.isEmpty {
      return .missing("the \(part) sent no \(answers.sorted().joined(separator: " or ")): it may have nothing to send")
    }
    return Outcome(
      breaches: requests.filter { request in
        !replies.contains {
          $0.peer == request.peer && $0.time >= request.time.advanced(byNanoseconds: -log.settle)
            && $0.time.nanoseconds(since: request.time) <= allowed
        }
      }.map { request in
        Failure(
          time: request.time,
          expected: "\(answers.sorted().joined(separator: " or ")) for \(request.peer) within \(timeout.seconds) s",
          observed: "none")
      })
  }

  private func isGone(_ peer: PeerName, after request: LoggedMessage, within time: Nanoseconds) -> Bool {
    if delivered.contains(where: { later in
      later.entry > request.entry && later.peer == peer && later.isValid
        && later.kind.owner.session?.closing?.message == later.kind.name
        && later.time.nanoseconds(since: request.time) <= time
    }) {
      return true
    }
    return log.entries.contains { entry in
      switch entry.what {
      case .closed(peer), .disconnected(peer): entry.time >= request.time
      default: false
      }
    }
  }

  // MARK: - Clients

  /// Checks that the client sends keepalives before the timeout, while it gets messages of the host.
  func keepalives(within timeout: Nanoseconds) -> Outcome {
    guard let rules = owner?.session else { return .missing("there are no sessions") }
    let sent = replies.filter {
      $0.isValid && $0.carrier == .udp && ($0.kind.asks || rules.isKeptAlive(by: $0.kind.name))
    }
    let received = delivered.filter { $0.isValid && $0.carrier == .udp }
    guard let first = received.first(where: \.kind.answers)?.time else {
      return .missing("no answer was delivered: there was no session")
    }
    let signs = received.map(\.time).filter { $0 >= first }
    let end = min(log.left ?? log.end, log.end)
    var isTried = false
    var breaches: [Failure] = []
    // Each interval between two keepalives, from the first answer on.
    let times = [first] + sent.map(\.time).filter { $0 > first && $0 < end } + [end]
    for (before, after) in zip(times, times.dropFirst()) {
      // The session lasts until the timeout after the host's last sign of life.
      guard let last = signs.last(where: { $0 < after }) else { continue }
      let lived = min(after, last.advanced(byNanoseconds: timeout)).nanoseconds(since: before)
      if after.nanoseconds(since: first) > timeout { isTried = true }
      guard lived > timeout + log.settle + log.lateness, !hasLeft(between: before, and: after) else { continue }
      breaches.append(
        Failure(
          time: before.advanced(byNanoseconds: timeout), expected: "a keepalive within \(timeout.seconds) s",
          observed: "none for \(after.nanoseconds(since: before) / 1_000_000) ms"))
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    return isTried ? .held : .missing("no session lasted longer than the timeout of \(timeout.seconds) s")
  }

  /// Whether the client left its session by itself in this time, after which it sends no keepalives.
  private func hasLeft(between before: Timestamp, and after: Timestamp) -> Bool {
    leaves.contains { $0.closed >= before && $0.closed <= after }
  }

  /// Checks that each request within a session has the id of the one before. Over a connection, the next session may
  /// have another.
  func keptIDs() -> Outcome {
    let timeout = owner?.session?.timeout
    var open: (id: UInt64, time: Timestamp)?
    var isTried = false
    let closing = owner?.session?.closing?.message
    let answered = delivered.filter { $0.isValid && $0.kind.answers }.map(\.time)
    for request in replies where request.isValid && !request.carrier.isConnected {
      if request.kind.name == closing { open = nil }
      guard request.kind.asks else { continue }
      guard let id = request.kind.sessionName(in: request.bytes.span.bytes) else { continue }
      defer { open = (id, request.time) }
      guard let before = open, let answer = answered.last(where: { $0 <= request.time }), answer >= before.time
      else { continue }
      if let timeout, request.time.nanoseconds(since: answer) > timeout { continue }
      isTried = true
      guard id != before.id else { continue }
      return .broken(
        Failure(
          time: request.time, expected: "\(request.kind.name) with the session's id \(before.id)", observed: "id \(id)")
      )
    }
    return isTried ? .held : .missing("no request came again within a session")
  }

  /// Checks that each session request has the code of the run.
  func holdsCode() -> Outcome {
    let code = script.setup.code
    let requests = replies.filter { $0.isValid && $0.kind.asks }
    guard !requests.isEmpty else { return .missing("the \(part) asked for no session") }
    return Outcome(
      breaches: requests.filter { Credential($0.kind)?.isRight($0.bytes.span.bytes, code) == false }.map { request in
        Failure(
          time: request.time, expected: "\(request.kind.name) with the code \(code)",
          observed: "\(request.kind.name) with another")
      })
  }

  /// Checks that a client sends messages of a stream only within a session. It may notice the end of one late.
  func waitsForAcceptance(_ stream: JudgedStream) -> Outcome {
    let messages = replies.filter { $0.isValid && stream.form(of: $0.kind) != nil }
    let accepted = delivered.filter { $0.isValid && $0.accepts }
    let settle = log.settle + log.lateness
    let life = stream.owner.session?.timeout.map { LivenessWindow(timeout: $0, settle: settle).late }
    let breaches = messages.compactMap { message -> Failure? in
      let last = accepted.last { $0.time <= message.time.advanced(byNanoseconds: settle) }
      let expected = "\(message.kind.name) within a session only"
      guard let last else {
        return Failure(time: message.time, expected: expected, observed: "one before any answer that accepts")
      }
      guard let life, !message.carrier.isConnected else { return nil }
      let silence = message.time.nanoseconds(since: last.time)
      guard silence > life else { return nil }
      return Failure(
        time: message.time, expected: expected,
        observed: "one \(silence / 1_000_000) ms after the last answer that accepts")
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    guard replies.contains(where: { $0.kind.asks && $0.isValid }) else {
      return .missing("the \(part) asked for no session")
    }
    return accepted.isEmpty || !messages.isEmpty ? .held : .missing("the \(part) sent no \(stream.kind.name)")
  }

  /// Checks that the system closes its session when it is asked to exit.
  func teardown(_ message: String) -> Outcome {
    guard let left = log.left else { return .missing("the client was not asked to end") }
    guard let request = replies.last(where: { $0.kind.asks && $0.isValid && $0.time <= left }) else {
      return .missing("the client opened no session")
    }
    if isBetweenSessions(at: left) { return .missing("the client had left its session when it was asked to end") }
    let id = request.kind.sessionName(in: request.bytes.span.bytes) ?? 0
    let closing = replies.last { $0.kind.name == message && $0.time >= left && $0.isValid }
    guard let closing else {
      return .broken(Failure(time: left, expected: "\(message) when the client is asked to end", observed: "none"))
    }
    guard closing.kind.closes(id, in: closing.bytes.span.bytes) else {
      return .broken(
        Failure(
          time: closing.time, expected: "\(message) of session \(id)",
          observed: "\(message) of session \(closing.kind.sessionName(in: closing.bytes.span.bytes) ?? 0)"))
    }
    return .held
  }

  // MARK: - Streams

  /// The valid messages of a stream that the system sent, by the peer, its session (without sessions its connection) and
  /// the key. A message has no number
  /// if the stream has none, or if it may belong to either of two sessions.
  private func sent(
    _ stream: JudgedStream, in sessions: HostSessions?
  ) -> [(peer: PeerName, messages: [(message: LoggedMessage, number: UInt64?)])] {
    struct Group: Hashable {
      let peer: PeerName
      let session: Int?
      let key: [UInt64]
    }
    var order: [Group] = []
    var groups: [Group: [(LoggedMessage, UInt64?)]] = [:]
    let begins = part.side == .client ? sessionBegins : []
    let connections = stream.owner.asking == nil ? connections : [:]
    for message in replies where message.isValid {
      guard let form = stream.form(of: message.kind) else { continue }
      let bytes = message.bytes.span.bytes
      let isAmbiguous = sessions?.isAmbiguous(message.peer, at: message.time, settle: log.settle + log.lateness) == true
      let group = Group(
        peer: message.peer,
        session: sessions?.index(of: message.peer, at: message.time, settle: log.settle)
          ?? (connections[message.peer] ?? begins).lastIndex { $0 <= message.entry },
        key: stream.keys(form).bits(in: bytes))
      if groups[group] == nil { order.append(group) }
      let number = isAmbiguous ? nil : stream.value(in: bytes, form).number
      groups[group, default: []].append((message, number))
    }
    return order.map { ($0.peer, groups[$0] ?? []) }
  }

  /// The entries of the log at which a client under test began another session: it requested one with another id, or
  /// after it had closed its own.
  private var sessionBegins: [Int] {
    var id: UInt64?
    var isOver = false
    return replies.compactMap { message in
      guard message.isValid else { return nil }
      if message.kind.name == owner?.session?.closing?.message { isOver = true }
      guard message.kind.asks else { return nil }
      let asked = message.kind.sessionName(in: message.bytes.span.bytes)
      defer { (id, isOver) = (asked, false) }
      return isOver || asked != id ? message.entry : nil
    }
  }

  /// The entries of the log at which a connection of each peer began. Without sessions a sender may count from the
  /// beginning on each.
  private var connections: [PeerName: [Int]] {
    var connections: [PeerName: [Int]] = [:]
    for (index, entry) in log.entries.enumerated() {
      if case .opened(let peer) = entry.what { connections[peer, default: []].append(index) }
    }
    return connections
  }

  private func sessions(_ stream: JudgedStream) -> HostSessions? {
    part.side == .host && stream.owner.asking != nil ? HostSessions(self, stream.owner) : nil
  }

  func numbersGrow(_ stream: JudgedStream) -> Outcome {
    let groups = sent(stream, in: sessions(stream))
    var isTried = false
    var breaches: [Failure] = []
    for group in groups {
      let numbered = group.messages.filter { message in message.number.map { !stream.numbers.isUnused($0) } ?? true }
      for (before, after) in zip(numbered, numbered.dropFirst()) {
        guard let old = before.number, let new = after.number else { continue }
        isTried = true
        if new != old, stream.numbers.isNewer(new, than: old) || stream.numbers.isUsedUp(by: old) { continue }
        breaches.append(
          Failure(
            time: after.message.time,
            expected: "\(stream.kind.name) with a newer \(stream.order?.name ?? "number") than \(old)",
            observed: new == old ? "\(new) again" : "\(new)"))
      }
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    return isTried ? .held : .missing("the \(part) sent no two \(stream.kind.name)")
  }

  func staysInSession(_ stream: JudgedStream) -> Outcome {
    let messages = replies.filter { $0.isValid && stream.form(of: $0.kind) != nil }
    guard !messages.isEmpty else { return .missing("the \(part) sent no \(stream.kind.name)") }
    let sessions = HostSessions(self, stream.owner)
    return Outcome(
      breaches: messages.compactMap { message in
        sessions.reason(against: message, settle: log.settle + log.lateness).map { reason in
          Failure(
            time: message.time, expected: "\(stream.kind.name) to clients with a session only",
            observed: "\(message.peer) got one \(reason)")
        }
      })
  }

  func hasNoGap(_ stream: JudgedStream, _ interval: Nanoseconds) -> Outcome {
    let sessions = HostSessions(self, stream.owner)
    let groups = sent(stream, in: sessions)
    guard !groups.isEmpty else {
      return .missing("the \(part) sent no \(stream.kind.name): it may have nothing to send")
    }
    let allowed = interval + log.settle + log.lateness
    let end = min(log.left ?? log.end, log.end)
    var isTried = false
    var breaches: [Failure] = []
    for session in sessions.sessions {
      for times in sessions.certainTimes(of: session, until: end, settle: log.settle) {
        guard times.upperBound.nanoseconds(since: times.lowerBound) > allowed else { continue }
        isTried = true
        let own = groups.filter { $0.peer == session.peer }.map { group in
          group.messages.map(\.message.time).filter(times.contains)
        }.filter { !$0.isEmpty }
        for sent in own.isEmpty ? [[]] : own {
          for (before, after) in zip([times.lowerBound] + sent, sent + [times.upperBound]) {
            let gap = after.nanoseconds(since: before)
            guard gap > allowed else { continue }
            breaches.append(
              Failure(
                time: before.advanced(byNanoseconds: interval),
                expected: "\(stream.kind.name) for \(session.peer) at least every \(interval.seconds) s",
                observed: "none for \(gap / 1_000_000) ms"))
          }
        }
      }
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    return isTried ? .held : .missing("no session lasted for \(interval.seconds) s")
  }

  func keepsRate(_ stream: JudgedStream, atMost count: Int) -> Outcome {
    let span: Nanoseconds = 1_000_000_000
    var isTried = false
    for group in sent(stream, in: sessions(stream)) {
      let times = group.messages.map(\.message.time)
      if let first = times.first, let last = times.last, last.nanoseconds(since: first) >= span { isTried = true }
      let excess = excess(times, over: count, within: span, of: stream.kind) { "\($0) to \(group.peer) in \($1) ms" }
      if let excess { return .broken(excess) }
    }
    return isTried ? .held : .missing("\(stream.kind.name) did not go for 1 s")
  }
}

extension Nanoseconds {
  /// The seconds of a duration in ns, as text without trailing zeros: `5`, `0.25`.
  var seconds: String { (Double(self) / 1e9).words }
}

extension Double {
  /// A number without trailing zeros: `60`, `0.5`.
  var words: String { self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)" }
}
