import TelecapConformance
import TelecapRecording

extension Requirement {
  /// The requirements on session requests.
  static let hello = [
    Requirement(
      "tele.hello.ack-every", .must, "The host acknowledges every HELLO, not only the first.", "TELE, Session rule 2"),
    Requirement(
      "tele.hello.bad-code", .must,
      "A wrong code, in any place, case or length, opens no session and disturbs none: BAD_CODE, or BUSY while another is served.",
      "TELE, Session rule 4"),
    Requirement(
      "tele.hello.busy", .must, "A second client gets BUSY while the first is active.", "TELE, Session rule 3"),
    Requirement(
      "tele.hello.keepalive-identity", .should, derived: true, over: [.udp],
      "A keepalive with another code or session_id is not taken for the client's.", "TELE, Session rules 3 and 4"),
    Requirement(
      "tele.hello.version", .should,
      "A HELLO of another version is dropped or answered with VERSION_UNSUPPORTED, never with OK.",
      "TELE, Session rule 7"),
  ]
}
