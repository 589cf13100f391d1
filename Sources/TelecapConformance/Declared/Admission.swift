import TelecapRecording
import TelecapWire

/// A request for a session that was delivered to a host, with the answers to it that the declaration allows by the sessions that the
/// host had granted until then.
struct Admission {
  /// The content of an answer.
  enum Answer: String, Sendable {
    case accepted = "accepted"
    case wrongCode = "rejected for its code"
    case busy = "rejected as busy"
    case other = "rejected"
  }

  let request: LoggedMessage
  /// It holds the code that lets clients in, or needs none.
  let hasRightCode: Bool
  let allowed: Set<Answer>
  /// No value is declared by which a host rejects it: a host may as well drop it.
  let mayBeDropped: Bool
  /// Nil where none came.
  let answer: LoggedMessage?

  /// The content of the answer; nil where none came.
  var given: Answer? { answer.map { $0.answer } }
}

extension LoggedMessage {
  /// What it answers to a request for a session.
  fileprivate var answer: Admission.Answer {
    guard let asking = kind.owner.asking, let code = kind.answerCode(in: bytes.span.bytes) else { return .accepted }
    return switch code {
    case asking.accepts?.value: .accepted
    case asking.rejects.code: .wrongCode
    case asking.rejects.busy: .busy
    default: .other
    }
  }
}

extension JudgedRun {
  /// The answer to each valid request for a session that was delivered, by the request's entry in the log: the first that its peer
  /// got before it asked again.
  func sessionAnswers() -> [Int: LoggedMessage] {
    let settle = log.settle + log.lateness
    var answers: [Int: LoggedMessage] = [:]
    for (peer, requests) in Dictionary(grouping: delivered.filter { $0.isValid && $0.kind.asks }, by: \.peer) {
      var left = replies.filter { $0.peer == peer && $0.isValid && $0.kind.answers }[...]
      for (index, request) in requests.enumerated() {
        left = left.drop { $0.time < request.time.advanced(byNanoseconds: -settle) }
        let next = requests[(index + 1)...].first { $0.time > request.time }
        guard let answer = left.first, next.map({ answer.time < $0.time }) ?? true else { continue }
        answers[request.entry] = left.removeFirst()
      }
    }
    return answers
  }

  /// The entries of requests for a session that a host may drop, for it rejects them by no declared value.
  func droppableRequests(_ owner: WireProtocol) -> Set<Int> {
    Set(admissions(owner).filter(\.mayBeDropped).map(\.request.entry))
  }

  /// The admissions of the run: those of flawless requests of which the sessions so far say which answer is right.
  private func admissions(_ owner: WireProtocol) -> [Admission] {
    guard let asking = owner.asking, asking.accepts != nil else { return [] }
    let answers = sessionAnswers()
    let sessions = HostSessions(self, owner)
    let settle = log.settle + log.lateness
    return delivered.filter { $0.kind.asks && $0.findings.isEmpty }.compactMap { request in
      let hasRightCode = Credential(request.kind)?.isRight(request.bytes.span.bytes, script.setup.code) ?? true
      let holders = sessions.holders(before: request, until: log.end, settle: settle)
      var allowed: Set<Admission.Answer>
      if hasRightCode {
        allowed = [.accepted]
        if let clients = asking.clients, holders.possible >= clients { allowed.insert(.busy) }
        if asking.clients == nil, asking.rejects.busy != nil { allowed.insert(.busy) }
        if let clients = asking.clients, !holders.isOwn, holders.certain >= clients { allowed = [.busy] }
        // By which value it is busy is not declared: by any that does not accept.
        if allowed.contains(.busy), asking.rejects.busy == nil { allowed.formUnion([.wrongCode, .other]) }
      } else {
        // Whether a client that has a session may keep it by another code is not declared.
        if holders.mayBeOwn { return nil }
        allowed = asking.rejects.code == nil ? [.wrongCode, .busy, .other] : [.wrongCode]
        if holders.possible > 0 { allowed.insert(.busy) }
      }
      let value = hasRightCode ? asking.rejects.busy : asking.rejects.code
      return Admission(
        request: request, hasRightCode: hasRightCode, allowed: allowed,
        mayBeDropped: value == nil && allowed != [.accepted], answer: answers[request.entry])
    }
  }

  /// Requests of clients that a session is there for are accepted.
  func accepts(_ owner: WireProtocol) -> Outcome {
    judge(
      admissions(owner).filter { $0.hasRightCode && $0.allowed.contains(.accepted) },
      isTried: { $0.allowed == [.accepted] })
  }

  /// Requests with a wrong code are rejected.
  func rejectsWrongCodes(_ owner: WireProtocol) -> Outcome { judge(admissions(owner).filter { !$0.hasRightCode }) }

  /// Requests of clients for which no session is left are rejected.
  func rejectsWhileBusy(_ owner: WireProtocol) -> Outcome {
    judge(admissions(owner).filter { $0.hasRightCode && !$0.allowed.contains(.accepted) })
  }

  private func judge(_ admissions: [Admission], isTried: (Admission) -> Bool = { _ in true }) -> Outcome {
    let answered = admissions.filter { $0.given != nil }
    let breaches = answered.compactMap { admission -> Failure? in
      guard let given = admission.given, !admission.allowed.contains(given) else { return nil }
      let allowed = admission.allowed.map(\.rawValue).sorted().joined(separator: " or ")
      return Failure(
        time: admission.answer?.time,
        expected: "\(admission.request.kind.name) of \(admission.request.peer) \(allowed)",
        observed: "\(given.rawValue): \(admission.answer?.kind.answerWords(admission.answer) ?? "")")
    }
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    // A host that accepts others was there to answer: what it dropped it has rejected.
    let isThere = replies.contains { $0.isValid && $0.accepts }
    let isTried =
      answered.contains(where: isTried)
      || isThere && admissions.contains { $0.mayBeDropped && !$0.allowed.contains(.accepted) }
    return isTried ? .held : .missing("no such request was answered")
  }
}

extension MessageKind {
  /// An answer in words: `ACK BUSY`.
  fileprivate func answerWords(_ answer: LoggedMessage?) -> String {
    "\(name) \(answerWord(of: answer.flatMap { answerCode(in: $0.bytes.span.bytes) }))"
  }
}

extension HostSessions {
  /// The sessions of other clients at the time of a request, and whether its own client has one.
  func holders(
    before request: LoggedMessage, until end: Timestamp, settle: Nanoseconds
  ) -> (certain: Int, possible: Int, isOwn: Bool, mayBeOwn: Bool) {
    var (certain, possible, isOwn, mayBeOwn) = (0, 0, false, false)
    let before = sessions.filter { $0.begin < request.time }
    for (peer, all) in Dictionary(grouping: before, by: \.peer) {
      let holds = all.contains { isCertain($0, at: request.time, until: end, settle: settle) }
      let mayHold = all.contains { isPossible($0, at: request.time, settle: settle) }
      if peer == request.peer {
        (isOwn, mayBeOwn) = (holds, mayHold)
      } else {
        certain += holds ? 1 : 0
        possible += mayHold ? 1 : 0
      }
    }
    return (certain, possible, isOwn, mayBeOwn)
  }
}
