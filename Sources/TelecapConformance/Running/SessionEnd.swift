import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

extension RunLog {
  /// The reason why the session of a client under test is closed so far, in words: from then on the client may exit.
  /// Nil while it is open.
  ///
  /// Its own end of a connection is no reason, since an exit closes that too.
  public func sessionEnd(of role: Role) -> String? {
    guard role.side == .client else { return nil }
    let closed = entries.compactMap { entry -> (Timestamp, String)? in
      guard case .closed(let peer) = entry.what else { return nil }
      return (entry.time, "\(peer) closed the connection")
    }
    let delivered = DecodedLog(self, role.owner).delivered
    let received = delivered.compactMap { message in
      message.endOfSession(role.owner).map { (message.time, $0) }
    }
    let last = (closed + received).max { $0.0 < $1.0 }
    return (last ?? silence(of: role.owner, delivered)).map { "\($0.1) at \($0.0.secondsInWords)" }
  }

  /// A timeout without answers, over a transport on which only answers keep a session alive.
  private func silence(of owner: WireProtocol, _ delivered: [LoggedMessage]) -> (Timestamp, String)? {
    guard let timeout = owner.session?.timeout, let last = entries.last?.time else { return nil }
    let answers = delivered.filter { $0.isValid && $0.kind.answers && $0.carrier != .tcp }
    guard let answer = answers.last,
      last.nanoseconds(since: answer.time) >= LivenessWindow(timeout: timeout, settle: settle).early
    else { return nil }
    return (answer.time, "the last answer was delivered")
  }
}

extension LoggedMessage {
  /// The reason why a client may close the session in which it got this message; nil where it must keep it.
  fileprivate func endOfSession(_ owner: WireProtocol) -> String? {
    // Over TCP an invalid message may end the connection (semantics, Verdicts; tele.tcp.bad-length).
    if carrier == .tcp, !isValid || findings.contains(where: { $0.rule.id == Rule.trailing.id }) {
      return "a message that is not right was delivered, which may end the connection,"
    }
    guard isValid else { return nil }
    if owner.session?.closing?.message == kind.name { return "\(kind.name) was delivered" }
    guard kind.answers, let accepts = owner.asking?.accepts, let code = kind.answerCode(in: bytes.span.bytes),
      code != accepts.value
    else { return nil }
    return "\(kind.name) \(kind.answerWord(of: code)) was delivered"
  }
}

extension Timestamp {
  /// `1.234 s`.
  fileprivate var secondsInWords: String { Numbers.fixed(Double(nanoseconds) / 1e9, 3) + " s" }
}
