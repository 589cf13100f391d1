import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The rules on a phone's messages: HELLO while its session is open, poses, and BYE. Those only for Bluetooth are in
/// `LinkSending`.
extension SenderRule {
  /// All rules.
  static let phone: [SenderRule] = [
    helloForm, reopens, poseSeq, poseTimestamp, poseValues, poseRate, bye, auth,
  ]

  private static func rule(
    _ id: String, restsOnTime: Bool = false, _ judge: @escaping @Sendable (JudgedRun) -> Outcome
  ) -> SenderRule {
    SenderRule(Requirement.phoneSending.named(id), restsOnTime: restsOnTime, judge: judge)
  }

  private static let helloForm = rule("tele.phone.hello-form", restsOnTime: true) { run in
    if run.isOverLink { return .missing("HELLO does not go over Bluetooth") }
    let form = run.form(of: [.hello], as: "HELLO with the code and reserved bytes of 0")
    return Outcome(all: [form, run.helloIdentity(), Outcome(breaches: run.strays(besides: [.hello, .pose]))])
  }
  private static let reopens = rule("tele.phone.reopens", restsOnTime: true) { $0.newSessions() }
  private static let poseSeq = rule("tele.phone.pose-seq") { $0.poseSeq() }
  private static let poseTimestamp = rule("tele.phone.pose-timestamp", restsOnTime: true) { $0.poseTimestamp() }
  private static let poseValues = rule("tele.phone.pose-values") { run in
    run.form(of: [.pose], as: "a pose of finite numbers, a unit quaternion, and reserved bits of 0")
  }
  private static let poseRate = rule("tele.phone.pose-rate", restsOnTime: true) { run in
    run.rate(of: .pose, atMost: 66, within: 1_000_000_000)
  }
  private static let bye = rule("tele.phone.bye") { $0.phoneBye() }
}

extension JudgedRun {
  /// Checks that every HELLO has the code, unless that is unknown in captured traffic, and in a session its session_id;
  /// over TCP it is sent once.
  fileprivate func helloIdentity() -> Outcome {
    let code = script.setup.code
    var breaches: [Failure] = []
    func add(_ hello: AskedHello, _ expected: String, _ observed: String) {
      breaches.append(Failure(time: hello.message.time, expected: expected, observed: observed))
    }
    for hello in askedHellos() {
      let sent = Hello.fields.code.row.value(in: hello.message.bytes.span.bytes)
      if sent != .text(code), !log.isOverheard {
        add(hello, "HELLO with the code \(code)", "code \(sent.map { "\($0)" } ?? "none")")
      }
      guard hello.isInSession || hello.isAgain, let before = hello.idBefore, let id = hello.id else { continue }
      if id != before {
        add(hello, "HELLO with the session's session_id \(before)", "session_id \(id)")
      } else if hello.message.carrier == .tcp {
        add(hello, "one HELLO for each connection", "another one")
      }
    }
    return Outcome(breaches: breaches)
  }

  /// Checks that the session after a lost or closed one has another session_id.
  fileprivate func newSessions() -> Outcome {
    let hellos = askedHellos()
    for hello in hellos where hello.isAfterLoss {
      guard let id = hello.id, id == hello.idBefore else { continue }
      return .broken(
        Failure(
          time: hello.message.time, expected: "HELLO with another session_id than the session before",
          observed: "session_id \(id) again"))
    }
    let isTried = hellos.contains { $0.isAfterLoss || $0.wasOpened && $0.id != $0.idBefore }
    return isTried ? .held : .missing("no session of the phone was lost or left before another")
  }

  /// Checks that the last message of a phone before its exit is a BYE with its session's id.
  fileprivate func phoneBye() -> Outcome {
    guard let left = log.left else { return .missing("the phone was not asked to end") }
    guard let hello = replies.last(where: { $0.kind == .hello && $0.time <= left }) else {
      return .missing("the phone never asked for a session")
    }
    if isBetweenSessions(at: left) { return .missing("the phone had left its session when it was asked to end") }
    let id = Hello.fields.sessionID.value(in: hello.bytes.span.bytes)
    guard let bye = replies.last(where: { $0.kind == .bye && $0.time >= left }) else {
      return .broken(Failure(time: left, expected: "BYE when the phone is asked to end", observed: "none"))
    }
    let own = Bye.fields.sessionID.value(in: bye.bytes.span.bytes)
    guard bye.findings.isEmpty, let id, bye.closes(id, of: bye.peer) else {
      return .broken(
        Failure(
          time: bye.time, expected: "BYE of session \(id ?? 0)",
          observed: bye.findings.isEmpty ? "BYE of session \(own ?? 0)" : bye.wrong))
    }
    return .held
  }
}
