import TelecapRecording
import TelecapWire

/// The rules on what one side of a declared protocol sends. They follow from its messages, sessions, requests and
/// streams, and are checked in every run.
struct DeclaredSending {
  let owner: WireProtocol
  let side: Side
  /// The transport over which it is tested.
  let carrier: Carrier

  /// A rule, and the run that makes a system send what the rule is about.
  struct DrivenRule {
    let rule: SenderRule
    let drive: Drive

    var requirement: Requirement { rule.requirement }
  }

  /// A run that makes a system send.
  enum Drive {
    /// A session that both sides keep for at least this time, in ns.
    case session(Nanoseconds)
    /// The same, in which a stream shows that the session is alive.
    case stream(Nanoseconds)
    /// A session that times out, or ends by its teardown.
    case end
    /// The system is asked to exit.
    case leave
    /// Requests for a session that a host accepts or rejects.
    case requests(Goal)
    /// Requests of a client that our side rejects, or does not answer.
    case rejection
    /// Our side sends this request.
    case request(RequestRules)
  }

  /// The behaviour of a host that its session requests are to exercise.
  enum Goal { case accepts, rejectsWrongCode, rejectsWhileBusy }

  /// All rules. None where the side sends nothing over the tested transport, where the declaration does not say what it
  /// sends, or where nothing declared makes it send.
  var rules: [DrivenRule] {
    let steps = SessionSteps(owner: owner, carrier: carrier)
    // A client that mixes transports is one system: test it once.
    let isOther = side == .client && owner.mixesCarriers && carrier != owner.testedCarriers.first
    guard !isOther, owner.dialect(over: carrier) != nil, Role(owner, side).sends,
      side == .client || !steps.signsOfLife.isEmpty
    else { return [] }
    let rules = sessionRules + answers + streams.flatMap(rules)
    return rules.isEmpty && streams.isEmpty ? [] : [wellFormed] + rules
  }

  /// The streams that the side sends.
  var streams: [JudgedStream] { JudgedStream.declared(by: owner, received: side.other, over: carrier) }

  private func rule(
    _ id: String, level: Requirement.Level = .must, derived: Bool = true, restsOnTime: Bool = false,
    by drive: Drive = .session(3_000_000_000), _ sentence: String, _ judge: @escaping @Sendable (JudgedRun) -> Outcome
  ) -> DrivenRule {
    let requirement = Requirement(
      "\(owner.name).\(id)", level, derived: derived, sentence, "\(owner.title): its declaration")
    return DrivenRule(rule: SenderRule(requirement, restsOnTime: restsOnTime, judge: judge), drive: drive)
  }

  // MARK: - Messages

  /// A run in which the side sends at least one message. A side without sessions and streams sends only answers.
  private var anything: Drive {
    guard streams.isEmpty, owner.asking == nil, let request = answeredRequests.first?.request else {
      return .session(3_000_000_000)
    }
    return .request(request)
  }

  private var wellFormed: DrivenRule {
    rule(
      "\(side.rawValue).well-formed", derived: false, by: anything,
      "The \(side.rawValue) sends valid messages only: header, lengths, checksum, and each field as declared."
    ) { [owner] run in
      guard !run.replies.isEmpty else { return .missing("the \(run.part) sent nothing") }
      // A declaration may lack messages, and fields that a later version appends.
      let unknown = Set([owner.unknown].compactMap(\.self))
      return Outcome(
        breaches: run.strays(besides: unknown) { $0.severity != .note && $0.rule.id != Rule.trailing.id })
    }
  }

  // MARK: - Sessions

  private var sessionRules: [DrivenRule] {
    guard let asking = owner.asking, let kind = owner.kind(named: asking.message, over: carrier) else {
      return []
    }
    return side == .client ? clientRules(asking, kind) : hostRules(asking, kind)
  }

  private func hostRules(_ asking: SessionRules.Asking, _ kind: MessageKind) -> [DrivenRule] {
    guard owner.answer(over: carrier) != nil else { return [] }
    let answers = asking.answers.sorted().joined(separator: " or ")
    return [
      rule("session.answer", restsOnTime: true, "The host answers each valid \(kind.name) with \(answers).") {
        [owner] run in
        run.answers(
          to: kind, by: asking.answers, within: RequestRules.defaultTimeout, besides: run.droppableRequests(owner))
      }
    ] + admissionRules(asking, kind)
  }

  /// The rules on which clients get a session; none where every answer grants one.
  private func admissionRules(_ asking: SessionRules.Asking, _ kind: MessageKind) -> [DrivenRule] {
    guard asking.accepts != nil else { return [] }
    func admission(
      _ id: String, _ goal: Goal, _ sentence: String, _ judge: @escaping @Sendable (JudgedRun) -> Outcome
    ) -> DrivenRule {
      rule("session.\(id)", restsOnTime: true, by: .requests(goal), sentence, judge)
    }
    let isLimited = asking.clients != nil
    let accepts = admission(
      "accept", .accepts,
      "The host accepts a valid \(kind.name)\(asking.code.map { " with the right \($0)" } ?? "")"
        + "\(isLimited ? " unless other clients hold all sessions" : "")."
    ) { [owner] in $0.accepts(owner) }
    let wrongCode = asking.code.map { code in
      admission(
        "wrong-code", .rejectsWrongCode,
        "A \(kind.name) with a wrong \(code), in any place, case or length, is rejected."
      ) { [owner] in $0.rejectsWrongCodes(owner) }
    }
    // A host that allows more sessions than a scenario has clients rejects none of them.
    let tested = asking.clients.flatMap { $0 <= SessionSteps.maxClients ? $0 : nil }
    let busy = tested.map { clients in
      admission(
        "busy", .rejectsWhileBusy,
        "While \(clients == 1 ? "a client holds its session" : "\(clients) clients hold their sessions") the \(kind.name) of another "
          + "one is rejected."
      ) { [owner] in $0.rejectsWhileBusy(owner) }
    }
    return [accepts] + [wrongCode, busy].compactMap(\.self)
  }

  private func clientRules(_ asking: SessionRules.Asking, _ kind: MessageKind) -> [DrivenRule] {
    var rules = [
      rule("session.request", "The client opens a session by \(kind.name).") { run in
        if run.replies.contains(where: { $0.kind.asks && $0.isValid }) { return .held }
        return .broken(
          Failure(time: run.log.end, expected: "\(kind.name), which opens a session", observed: "none in the whole run")
        )
      }
    ]
    if let code = asking.code, Credential(kind) != nil {
      rules.append(
        rule("session.code", "Each \(kind.name) holds the \(code) that the client was given.") { $0.holdsCode() })
    }
    if let timeout = owner.testedTimeout(over: carrier) {
      let names = owner.session.map { $0.keepalive.sorted().joined(separator: " or ") } ?? ""
      rules.append(
        rule(
          "session.keepalive", restsOnTime: true, by: .session(2 * timeout + 1_000_000_000),
          "While its session lasts the client sends \(names.isEmpty ? "something" : names) again before the timeout of "
            + "\(timeout.seconds) s is over."
        ) { $0.keepalives(within: timeout) })
    }
    if asking.id != nil, carrier == .udp {
      rules.append(
        rule(
          "session.id", by: .session((owner.testedTimeout(over: carrier) ?? 2_000_000_000) + 1_000_000_000),
          "The client keeps the id of its session for as long as the session lasts."
        ) { $0.keptIDs() })
    }
    if let closing = owner.session?.closing {
      rules.append(
        rule(
          "session.teardown", level: .should, by: .leave,
          "The client sends \(closing.message), which closes its session, when it ends."
        ) {
          $0.teardown(closing.message)
        })
    }
    return rules
  }

  // MARK: - Requests

  /// The requests of the other side, with their messages.
  private var answeredRequests: [(request: RequestRules, kind: MessageKind)] {
    owner.requests.compactMap { request in
      guard let kind = owner.kind(named: request.message, over: carrier),
        kind.layoutDirection == side.other.direction, owner.answer(to: request, over: carrier) != nil
      else { return nil }
      return (request, kind)
    }
  }

  private var answers: [DrivenRule] {
    answeredRequests.map { request, kind in
      let answers = request.answers.sorted().joined(separator: " or ")
      return rule(
        "\(request.name).answer", derived: false, restsOnTime: true, by: .request(request),
        "Each valid \(kind.name) is answered with \(answers) within \(request.timeout.seconds) s."
      ) { $0.answers(to: kind, by: request.answers, within: request.timeout) }
    }
  }

  // MARK: - Streams

  private func rules(on stream: JudgedStream) -> [DrivenRule] {
    let (name, message, rules) = (stream.rules.name, stream.kind.name, stream.rules)
    var result: [DrivenRule] = []
    if let field = stream.order?.name {
      result.append(
        rule("\(name).sender-order", "The \(field) of each \(message) that is sent is newer than the one before.") {
          $0.numbersGrow(stream)
        })
    }
    if side == .client, rules.inSession, owner.asking?.accepts != nil {
      result.append(
        rule(
          "\(name).sender-session", restsOnTime: true, by: .rejection,
          "The client sends \(message) only while it has a session: after an answer that accepts, until its end."
        ) { $0.waitsForAcceptance(stream) })
    }
    if side == .host, let asking = owner.asking {
      result.append(
        rule(
          "\(name).sender-session", restsOnTime: true, by: .end,
          "\(message) goes only to clients with a session: after a valid \(asking.message), until its end."
        ) { $0.staysInSession(stream) })
      if let interval = rules.interval {
        result.append(
          rule(
            "\(name).sender-interval", restsOnTime: true, by: .stream(3 * interval),
            "While a session lasts a \(message) comes at least every \(interval.seconds) s."
          ) { $0.hasNoGap(stream, interval) })
      }
    }
    if let rate = rules.rate {
      let count = Int((rate * 1.1).rounded(.up))
      result.append(
        rule(
          "\(name).sender-rate", level: .should, derived: false, restsOnTime: true,
          "At most \(count) \(message) go in any second: \(rate.words) and a tenth more."
        ) { $0.keepsRate(stream, atMost: count) })
    }
    return result
  }
}

extension WireProtocol {
  /// The message with which our side answers a request over a transport; nil where the transport carries none of the
  /// answers.
  func answer(to request: RequestRules, over carrier: Carrier) -> MessageKind? {
    messages.lazy.filter { request.answers.contains($0.name) }.compactMap { self.kind(named: $0.name, over: carrier) }
      .first
  }
}
