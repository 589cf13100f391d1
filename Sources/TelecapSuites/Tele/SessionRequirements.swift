import TelecapConformance
import TelecapRecording

extension Requirement {
  /// The requirements on keeping and losing a session.
  static let session = [
    Requirement(
      "tele.session.timeout", .must, over: [.udp], "After 3 s of silence (2.9…4.0 s) the host lets a new client in.",
      "TELE, Session rule 5"),
    Requirement(
      "tele.session.survives-loss", .must,
      "At 30 % loss, with HELLO at 1 Hz and poses at 60 Hz, the host keeps the session.", "TELE, Session rules 3 and 5"),
    Requirement(
      "tele.session.rate", .must, over: [.udp], "The phone sends HELLO at 1 Hz or faster, also while it streams poses.",
      "TELE, Session rule 1"),
    Requirement(
      "tele.session.phone-timeout", .must, over: [.udp, .ble],
      "The phone notices 3 s without an ACK, over Bluetooth without HEARTBEAT.",
      "TELE, Session rule 5; Transports: liveness"),
    Requirement(
      "tele.session.safe-on-loss", .must, derived: true, over: .everywhere,
      "When its session is lost the phone's haptics are off.", "semantics, Clamping and what is not a number"),
  ]

  /// The requirements on closing a session.
  static let bye = [
    Requirement(
      "tele.bye.wrong-session", .must, "BYE with another session_id changes nothing.", "TELE, Session rule 6"),
    Requirement(
      "tele.bye.closes", .must, "BYE with the session's id closes it at once.", "TELE, Session rule 6"),
  ]
}
