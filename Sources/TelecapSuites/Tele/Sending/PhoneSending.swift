import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// What a phone sends: HELLO for as long as it lives, poses, and BYE.
extension SenderRule {
  /// All of them.
  static let phone: [SenderRule] = [helloForm, poseSeq, poseTimestamp, poseValues, poseRate, bye]

  private static func rule(_ id: String, _ judge: @escaping @Sendable (JudgedRun) -> Outcome) -> SenderRule {
    SenderRule(Requirement.phoneSending.named(id), judge: judge)
  }

  private static let helloForm = rule("tele.phone.hello-form") { run in
    let form = run.form(of: [.hello], as: "HELLO with the code and reserved bytes of 0")
    return Outcome(all: [form, run.helloIdentity(), Outcome(breaches: run.strays(besides: [.hello, .pose]))])
  }
  private static let poseSeq = rule("tele.phone.pose-seq") { $0.poseSeq() }
  private static let poseTimestamp = rule("tele.phone.pose-timestamp") { $0.poseTimestamp() }
  private static let poseValues = rule("tele.phone.pose-values") { run in
    run.form(of: [.pose], as: "a pose of finite numbers, a unit quaternion, and reserved bits of 0")
  }
  private static let poseRate = rule("tele.phone.pose-rate") { run in
    run.rate(of: .pose, atMost: 66, within: 1_000_000_000)
  }
  private static let bye = rule("tele.phone.bye") { $0.phoneBye() }
}

extension JudgedRun {
  /// Every HELLO carries the code, and in a session its session_id; over TCP it comes once.
  fileprivate func helloIdentity() -> Outcome {
    let code = script.setup.code
    var id: UInt32?
    var session = AskedSession(settle: log.settle)
    var heard = delivered[...]
    var breaches: [Breach] = []
    for hello in replies where hello.kind == .hello {
      while let next = heard.first, next.entry < hello.entry { session.heard(heard.removeFirst()) }
      let bytes = hello.bytes.span.bytes
      if Hello.fields.code.row.value(in: bytes) != .text(code) {
        let other = Hello.fields.code.row.value(in: bytes).map { "\($0)" } ?? "none"
        breaches.append(Breach(time: hello.time, expected: "HELLO with the code \(code)", observed: "code \(other)"))
      }
      let own = Hello.fields.sessionID.value(in: bytes)
      if let id, let own, id != own, session.isAlive(at: hello.time, over: hello.carrier), !hasLeft(before: hello) {
        breaches.append(
          Breach(
            time: hello.time, expected: "HELLO with the session's session_id \(id)", observed: "session_id \(own)"))
      }
      if hello.carrier == .tcp, own == id, session.isAlive(at: hello.time, over: .tcp), !hasLeft(before: hello) {
        breaches.append(
          Breach(time: hello.time, expected: "one HELLO for each connection", observed: "another one in its session"))
      }
      if own != id { session = AskedSession(settle: log.settle) }
      id = own
    }
    return Outcome(breaches: breaches)
  }

  /// It ended its session itself: by BYE, or by a connection of its own.
  private func hasLeft(before hello: LoggedMessage) -> Bool {
    let last = log.entries[..<hello.entry].lastIndex { entry in
      switch entry.what {
      case .opened, .disconnected, .closed, .event(.sessionClosed): true
      default: false
      }
    }
    let bye = replies.last { $0.kind == .bye && $0.entry < hello.entry }?.entry
    let hello = replies.last { $0.kind == .hello && $0.entry < hello.entry }?.entry ?? 0
    return max(last ?? -1, bye ?? -1) > hello
  }

  /// The last thing that a phone sends when it is asked to end is a BYE with its session's id.
  fileprivate func phoneBye() -> Outcome {
    guard let left = log.left else { return .missing("the phone was not asked to end") }
    guard let hello = replies.last(where: { $0.kind == .hello && $0.time <= left }) else {
      return .missing("the phone never asked for a session")
    }
    let id = Hello.fields.sessionID.value(in: hello.bytes.span.bytes)
    guard let bye = replies.last(where: { $0.kind == .bye && $0.time >= left }) else {
      return .broken(Breach(time: left, expected: "BYE when the phone is asked to end", observed: "none"))
    }
    let own = Bye.fields.sessionID.value(in: bye.bytes.span.bytes)
    guard bye.findings.isEmpty, own == id else {
      return .broken(
        Breach(
          time: bye.time, expected: "BYE of session \(id ?? 0)",
          observed: bye.findings.isEmpty ? "BYE of session \(own ?? 0)" : bye.wrong))
    }
    return .held
  }
}

/// The session that a phone asked for, as long as its host says that it lives.
private struct AskedSession {
  let settle: Nanoseconds
  private var acknowledged: Timestamp?

  init(settle: Nanoseconds) { self.settle = settle }

  mutating func heard(_ message: LoggedMessage) {
    guard message.kind.answers, message.isValid,
      Ack.fields.status.value(in: message.bytes.span.bytes) == AckStatus.ok.rawValue
    else { return }
    acknowledged = message.time
  }

  /// Nobody can think that it is lost: over UDP before the silence that ends it, less what a phone may be early.
  func isAlive(at time: Timestamp, over carrier: Carrier) -> Bool {
    guard let acknowledged else { return false }
    return carrier == .tcp || time.nanoseconds(since: acknowledged) < Tele.timeout - 100_000_000 - settle
  }
}
