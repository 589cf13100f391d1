import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// What a phone sends: HELLO for as long as it lives, poses, and BYE.
extension SenderRule {
  /// All of them.
  static let phone: [SenderRule] = [helloForm, reopens, poseSeq, poseTimestamp, poseValues, poseRate, bye]

  private static func rule(_ id: String, _ judge: @escaping @Sendable (JudgedRun) -> Outcome) -> SenderRule {
    SenderRule(Requirement.phoneSending.named(id), judge: judge)
  }

  private static let helloForm = rule("tele.phone.hello-form") { run in
    let form = run.form(of: [.hello], as: "HELLO with the code and reserved bytes of 0")
    return Outcome(all: [form, run.helloIdentity(), Outcome(breaches: run.strays(besides: [.hello, .pose]))])
  }
  private static let reopens = rule("tele.phone.reopens") { $0.newSessions() }
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

  /// A session that was lost or left is not asked for again: the next one has another session_id.
  fileprivate func newSessions() -> Outcome {
    var id: UInt32?
    var session = AskedSession(settle: log.settle)
    var heard = delivered[...]
    var isTried = false
    for hello in replies where hello.kind == .hello {
      while let next = heard.first, next.entry < hello.entry { session.heard(heard.removeFirst()) }
      let own = Hello.fields.sessionID.value(in: hello.bytes.span.bytes)
      let isOver = session.isLost(at: hello.time, over: hello.carrier, isConnected: !hasHungUp(before: hello))
      if isOver, let own, own == id {
        return .broken(
          Breach(
            time: hello.time, expected: "HELLO with another session_id than the session before",
            observed: "session_id \(own) again"))
      }
      isTried = isTried || isOver || session.wasOpened && own != id
      if isOver || own != id { session = AskedSession(settle: log.settle) }
      id = own
    }
    return isTried ? .held : .missing("no session of the phone was lost or left before another")
  }

  /// It ended its session itself: by BYE, by a connection of its own, or as it says.
  private func hasLeft(before hello: LoggedMessage) -> Bool {
    let asked = asked(before: hello)
    return hasHungUp(before: hello) || replies.contains { $0.kind == .bye && asked..<hello.entry ~= $0.entry }
      || log.entries[asked..<hello.entry].contains {
        if case .event(.sessionClosed) = $0.what { true } else { false }
      }
  }

  /// The HELLO before it went over another connection.
  private func hasHungUp(before hello: LoggedMessage) -> Bool {
    log.entries[asked(before: hello)..<hello.entry].contains { entry in
      switch entry.what {
      case .opened, .disconnected, .closed: true
      default: false
      }
    }
  }

  /// The place of the HELLO before this one; 0 where it is the first.
  private func asked(before hello: LoggedMessage) -> Int {
    replies.last { $0.kind == .hello && $0.entry < hello.entry }?.entry ?? 0
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
  /// When it was acknowledged last.
  private var acknowledged: Timestamp?
  /// When something came last that a phone may take for an acknowledgement.
  private var answered: Timestamp?

  init(settle: Nanoseconds) { self.settle = settle }

  mutating func heard(_ message: LoggedMessage) {
    guard message.kind.answers else { return }
    answered = message.time
    guard message.isValid, Ack.fields.status.value(in: message.bytes.span.bytes) == AckStatus.ok.rawValue else {
      return
    }
    acknowledged = message.time
  }

  /// It was acknowledged.
  var wasOpened: Bool { acknowledged != nil }

  /// Nobody can think that it is lost: over UDP before the silence that ends it, less what a phone may be early.
  func isAlive(at time: Timestamp, over carrier: Carrier) -> Bool {
    guard let acknowledged else { return false }
    return carrier == .tcp || time.nanoseconds(since: acknowledged) < Tele.timeout - tolerance - settle
  }

  /// Nobody can think that it lives: over TCP without its connection, over UDP after the silence that ends it, and what a
  /// phone may be late.
  func isLost(at time: Timestamp, over carrier: Carrier, isConnected: Bool) -> Bool {
    guard acknowledged != nil, let answered else { return false }
    return carrier == .tcp ? !isConnected : time.nanoseconds(since: answered) > Tele.timeout + tolerance + settle
  }

  /// How much sooner or later than the silence a phone may end it, in ns.
  private let tolerance: Nanoseconds = 100_000_000
}
