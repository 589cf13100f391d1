import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// The scenarios that make one side of a declared protocol send the messages to check: sessions that are kept, time out
/// or are closed, invalid requests, and requests that are answered.
struct SessionScenarios {
  let side: DeclaredSide
  /// The requirements of the protocol.
  let requirements: [Requirement]

  private var owner: WireProtocol { side.owner }
  private var steps: SessionSteps { SessionSteps(owner: owner, carrier: side.carrier) }
  private var testedTimeout: Nanoseconds? { owner.testedTimeout(over: side.carrier) }
  private var timeout: Nanoseconds { testedTimeout ?? 3_000_000_000 }

  /// All scenarios; none where no rule covers what the side sends.
  var all: [Scenario] {
    guard !side.sending.isEmpty else { return [] }
    return side.side == .client ? client : host
  }

  // MARK: - A host

  private var host: [Scenario] {
    let start = SessionSteps.start
    let silence = start + LivenessWindow(timeout: timeout, settle: 0).late + 2_000_000_000
    return side.sending.flatMap { rule -> [Scenario] in
      switch rule.drive {
      case .session, .leave: return [kept(rule)]
      case .stream: return [kept(rule)] + otherTeardowns(rule)
      case .end:
        return [
          scenario(
            rule.requirement, "",
            testedTimeout == nil ? "One request." : "One request, then silence until long after the timeout.",
            steps.request(at: start), end: silence)
        ] + teardown(rule.requirement)
      case .request(let request): return [answer(rule.requirement, request)]
      case .requests(let goal): return admissions(rule.requirement, goal)
      case .rejection: return []
      }
    } + invalidRequests
  }

  /// A session that its client closes, where the protocol has a message for that.
  private func teardown(_ requirement: Requirement) -> [Scenario] {
    let start = SessionSteps.start
    let closing = steps.teardown(at: start + 500_000_000)
    guard !closing.isEmpty else { return [] }
    return [
      scenario(
        requirement, ".teardown", "A client that closes its session.", steps.request(at: start) + closing,
        end: start + 1_500_000_000)
    ]
      + (steps.hasID
        ? [
          scenario(
            requirement, ".teardown-again", "Two sessions of one client with other ids, each of which it closes.",
            steps.request(at: start) + closing + steps.request(at: start + 1_000_000_000, isOther: true)
              + steps.teardown(at: start + 1_500_000_000, isOther: true), end: start + 2_500_000_000)
        ] : [])
  }

  /// A session that the client keeps.
  private func kept(_ rule: DeclaredSending.DrivenRule) -> Scenario {
    let (start, length) = (SessionSteps.start, length(rule.drive))
    return scenario(
      rule.requirement, "", "A client keeps its session for \(length.seconds) s.", steps.keep(for: length, from: start),
      end: start + length)
  }

  /// A session that must survive teardowns, since they close another one or are invalid.
  private func otherTeardowns(_ rule: DeclaredSending.DrivenRule) -> [Scenario] {
    let wrong = steps.otherTeardowns
    if wrong.isEmpty { return [] }
    let start = SessionSteps.start
    let every: Nanoseconds = 50_000_000
    // The session is kept for as long after the last of them.
    let sent = 200_000_000 + Int64(wrong.count) * every
    let length = sent + length(rule.drive)
    return [
      scenario(
        rule.requirement, ".other-teardowns", "Teardowns of another session, and invalid ones.",
        steps.keep(for: length, from: start) + [steps.send(wrong, at: start + 200_000_000, every: every, by: "a")],
        end: start + length)
    ]
  }

  /// Session requests with one wrong header field.
  private var invalidRequests: [Scenario] {
    guard let asking = owner.asking, let kind = owner.kind(named: asking.message, over: steps.carrier) else {
      return []
    }
    let right = Message.right(kind).bytes
    return owner.recognisedFields.compactMap { field in
      let wrong = kind.wrong(right, in: field, over: steps.carrier)
      guard !wrong.isEmpty, let requirement = requirement("header.\(field)") else { return nil }
      let start = SessionSteps.start
      let sent = wrong.count < 3 && !steps.isSelfDelimited ? wrong + wrong + wrong : wrong
      let every: Nanoseconds = 300_000_000
      return scenario(
        requirement, ".\(asking.message.lowercased())", "A wrong \(field) in a \(asking.message).",
        steps.request(at: start) + [steps.send(sent, at: start + every, every: every, by: "b")],
        end: start + Int64(sent.count + 1) * every + 800_000_000,
        expecting: [InvalidRequestExpectation(valid: "a", invalid: "b")])
    }
  }

  /// Session requests that show which clients a host accepts.
  private func admissions(_ requirement: Requirement, _ goal: DeclaredSending.Goal) -> [Scenario] {
    let start = SessionSteps.start
    let every = SessionSteps.pause
    let life = LivenessWindow(timeout: timeout, settle: 0)
    func scenario(_ suffix: String, _ sentence: String, _ work: [Step], for length: Nanoseconds) -> Scenario {
      self.scenario(requirement, suffix, sentence, work, end: start + length + every)
    }
    switch goal {
    case .accepts:
      let closing = steps.teardown(at: start + every)
      let afterwards = steps.request(at: start + 2 * every, by: "b")
      return [scenario("", "One request.", steps.request(at: start), for: 0)]
        + (closing.isEmpty
          ? []
          : [
            scenario(
              ".teardown", "A client closes its session, and another one requests one.",
              steps.request(at: start) + closing + afterwards, for: 2 * every)
          ])
        + steps.connectionEnds(at: start + every, by: "a").map { name, verb, ending in
          scenario(
            ".\(name)", "A client \(verb) its connection, and another one requests a session.",
            steps.request(at: start) + [ending] + afterwards, for: 2 * every)
        }
        + (testedTimeout == nil
          ? []
          : [
            scenario(
              ".timeout", "A client falls silent, and after the timeout another one requests a session.",
              steps.request(at: start) + steps.request(at: start + life.late + every, by: "b"), for: life.late + every)
          ])
    case .rejectsWrongCode:
      let wrong = steps.wrongCodes
      if wrong.isEmpty { return [] }
      let sent = Int64(wrong.count) * every
      return [
        scenario(
          "", "Requests with wrong codes, then one with the right code.",
          [steps.send(wrong, at: start, every: every, by: "b")] + steps.request(at: start + sent), for: sent),
        scenario(
          ".served", "Requests with wrong codes while a client has its session.",
          steps.keep(for: sent + every, from: start) + [steps.send(wrong, at: start + every, every: every, by: "b")],
          for: sent + every),
      ]
    case .rejectsWhileBusy:
      let clients = owner.asking?.clients ?? 1
      let holders = (0..<clients).map { "a\($0 == 0 ? "" : "\($0 + 1)")" }
      let requests = holders.flatMap { steps.request(at: start, by: $0) }
      let begun = start + every
      let wrong = steps.otherTeardowns
      let torn = begun + Int64(wrong.count) * every
      return [
        scenario(
          "", "Clients hold all sessions, and another one requests one.",
          requests + steps.request(at: begun, by: "b") + steps.request(at: begun + every, by: "b"), for: 2 * every)
      ]
        + (testedTimeout == nil || life.early <= 2 * every
          ? []
          : [
            scenario(
              ".early", "Clients fall silent, and shortly before the timeout another one requests a session.",
              requests + steps.request(at: start + life.early - every / 2, by: "b"), for: life.early)
          ])
        + (wrong.isEmpty || clients > 1
          ? []
          : [
            scenario(
              ".other-teardowns", "Teardowns of another session, and invalid ones, let no other client in.",
              steps.keep(for: torn - start, from: start) + [steps.send(wrong, at: begun, every: every, by: "a")]
                + steps.request(at: torn, by: "b"), for: torn - start)
          ])
    }
  }

  // MARK: - A client

  private var client: [Scenario] {
    side.sending.flatMap { rule -> [Scenario] in
      let length = length(rule.drive)
      if case .request(let request) = rule.drive { return [answer(rule.requirement, request)] }
      if case .rejection = rule.drive { return rejections(rule.requirement) }
      var isAskedToEnd = false
      if case .leave = rule.drive { isAskedToEnd = true }
      return [
        scenario(
          rule.requirement, "", "A session that the host keeps for \(length.seconds) s.", steps.answers(for: length),
          end: length, isAskedToEnd: isAskedToEnd)
      ]
    }
  }

  /// Sessions that our side does not grant, by a rejection or without an answer, and one that it grants.
  private func rejections(_ requirement: Requirement) -> [Scenario] {
    guard let asking = owner.asking else { return [] }
    let length = length(.rejection)
    func scenario(_ suffix: String, _ sentence: String, status: UInt64?) -> Scenario {
      var result = self.scenario(requirement, suffix, sentence, steps.answers(for: length), end: length)
      result.acknowledges =
        status.map { steps.acknowledgements(until: Timestamp(nanoseconds: length), status: $0) } ?? []
      return result
    }
    let reasons = [("code", asking.rejects.code), ("busy", asking.rejects.busy)]
    return [
      self.scenario(
        requirement, "", "A session that the host keeps for \(length.seconds) s.", steps.answers(for: length),
        end: length),
      scenario(".unanswered", "Requests that the host does not answer.", status: nil),
    ]
      + reasons.compactMap { name, status in
        status.map { scenario(".\(name)", "Requests that the host rejects: \(name).", status: $0) }
      }
  }

  // MARK: - Either

  /// The length of a session for a rule, in ns: long enough for keepalives where the timeout is at most 5 s, and for
  /// the rule.
  private func length(_ drive: DeclaredSending.Drive) -> Nanoseconds {
    let usual = min(2 * timeout, 10_000_000_000)
    switch drive {
    case .session(let least), .stream(let least): return max(usual, least)
    case .end, .leave, .request, .requests, .rejection: return usual
    }
  }

  /// A request sent three times within a session.
  private func answer(_ requirement: Requirement, _ request: RequestRules) -> Scenario {
    let start = SessionSteps.start
    let end = start + 1_000_000_000 + request.timeout + 500_000_000
    let message = owner.kind(named: request.message, over: steps.carrier).map { Message.right($0).bytes } ?? []
    let session = side.side == .host ? steps.keep(for: end - start, from: start - 100_000_000) : steps.answers(for: end)
    let requests = steps.send(
      [message, message, message], at: start, every: 500_000_000, by: steps.peer(of: side.side))
    return scenario(requirement, "", "The request three times.", session + [requests], end: end)
  }

  // MARK: - Scenarios

  private func requirement(_ id: String) -> Requirement? { requirements.first { $0.id == "\(owner.name).\(id)" } }

  private func scenario(
    _ requirement: Requirement, _ suffix: String, _ sentence: String, _ work: [Step], end: Nanoseconds,
    isAskedToEnd: Bool = false, expecting expectations: [any Expectation]? = nil
  ) -> Scenario {
    var setup = Setup(part: side.part, code: owner.usualCode, carrier: steps.carrier)
    setup.leaves = isAskedToEnd
    let end = Timestamp(nanoseconds: end)
    return Scenario(
      id: requirement.id + suffix, path: "", sentence: sentence, requirement: requirement, setup: setup, steps: work,
      acknowledges: side.side == .client ? steps.acknowledgements(until: end) : [], impairments: .none, suffering: [],
      combinations: [.none], pieces: [], seeds: 1, onlySeed: nil,
      expectations: expectations ?? [WireExpectation.sends(requirement.id)], end: end, judging: side.judging)
  }
}

/// A valid request is answered, and invalid ones are not.
struct InvalidRequestExpectation: Expectation {
  /// The peer whose requests are valid.
  let valid: PeerName
  /// The peer whose requests are invalid.
  let invalid: PeerName

  func judge(_ run: JudgedRun) -> Outcome {
    if let reply = run.replies.first(where: { $0.peer == invalid }) {
      return .broken(
        Failure(
          time: reply.time, expected: "nothing for an invalid request", observed: "\(invalid) got \(reply.kind.name)"))
    }
    // Look at bytes: in a stream without frames an invalid request need not be a message.
    let isDelivered = run.log.entries.contains { entry in
      if case .delivered(_, _, invalid, _, _) = entry.what { true } else { false }
    }
    guard isDelivered else { return .missing("no invalid request was delivered") }
    return run.replies.contains { $0.peer == valid && $0.isValid }
      ? .held : .missing("the \(run.part) answered no valid request either: it may have nothing to send")
  }
}
