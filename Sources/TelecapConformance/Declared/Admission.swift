import TelecapRecording
import TelecapWire

/// A session request that was delivered to a host, with the answers that the declaration allows, given the sessions
/// that the host had granted before.
struct Admission {
  /// The content of an answer.
  enum Answer: String, Sendable {
    case accepted = "accepted"
    case wrongCode = "rejected for its code"
    case busy = "rejected as busy"
    case other = "rejected"
  }

  let request: LoggedMessage
  /// Its code is the code of the run, or none is needed.
  let hasRightCode: Bool
  let allowed: Set<Answer>
  /// The declaration has no value that rejects it, so a host may drop it without an answer.
  let mayBeDropped: Bool
  /// Nil where no answer came.
  let answer: LoggedMessage?

  /// The content of the answer; nil where no answer came.
  var given: Answer? { answer.map { $0.answer } }
}

extension LoggedMessage {
  /// The content of this message as an answer to a session request.
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
  /// The answer to each valid session request that was delivered, by the request's entry in the log: the first answer
  /// that its peer got before it sent another request.
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

  /// The entries of session requests that a host may drop, because the declaration has no value that rejects them.
  func droppableRequests(_ owner: WireProtocol) -> Set<Int> {
    Set(admissions(owner).filter(\.mayBeDropped).map(\.request.entry))
  }

  /// The admissions of the run: those of requests without findings whose right answer follows from the sessions so far.
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
        // Without a declared limit a host may have one session; the first client gets that.
        if asking.clients == nil, asking.rejects.busy != nil, holders.possible > 0 { allowed.insert(.busy) }
        if let clients = asking.clients, !holders.isOwn, holders.certain >= clients { allowed = [.busy] }
        // The declaration has no value for busy: any value that does not accept will do.
        if allowed.contains(.busy), asking.rejects.busy == nil { allowed.formUnion([.wrongCode, .other]) }
      } else {
        // The declaration does not say whether a client that has a session may keep it with another code.
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

  /// Requests of clients are accepted while a session is free.
  func accepts(_ owner: WireProtocol) -> Outcome {
    judge(
      admissions(owner).filter { $0.hasRightCode && $0.allowed.contains(.accepted) },
      isTried: { $0.allowed == [.accepted] })
  }

  /// Requests with a wrong code are rejected.
  func rejectsWrongCodes(_ owner: WireProtocol) -> Outcome { judge(admissions(owner).filter { !$0.hasRightCode }) }

  /// Requests of clients are rejected while no session is free.
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
    // A host that accepted another request was running: it dropped this one to reject it.
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
  /// The number of sessions of other clients at the time of a request, and whether its own client has one.
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
