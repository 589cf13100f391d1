import TelecapConformance
import TelecapMouse
import TelecapRecording

extension Requirement {
  /// The requirements on a phone's messages, in addition to HELLO at its rate (`session`).
  static let phoneSending = [
    Requirement(
      "tele.phone.hello-form", .must,
      "HELLO carries the code, one session_id for the whole session, and reserved bytes of 0.",
      "TELE, Messages: HELLO; Session rule 1"),
    Requirement(
      "tele.phone.pose-seq", .must, over: .everywhere, "seq counts by one from pose to pose, also across 65535.",
      "TELE, Messages: POSE"),
    Requirement(
      "tele.phone.pose-timestamp", .must, over: .everywhere,
      "timestamp_us never decreases, and keeps pace with the clock: within 5 % and 50 ms over 2 s or more.",
      "TELE, Messages: POSE; semantics, Requirements"),
    Requirement(
      "tele.phone.pose-values", .must, over: .everywhere,
      "A pose holds finite numbers, a unit quaternion, and reserved bits of 0.",
      "TELE, Messages: POSE"),
    Requirement(
      "tele.phone.pose-rate", .should, over: .everywhere, "At most 66 poses go in any second.", "TELE, Session rule 8"),
    Requirement(
      "tele.phone.refused", .must, "BUSY, BAD_CODE and VERSION_UNSUPPORTED open no session.",
      "TELE, Session rules 3, 4 and 7"),
    Requirement(
      "tele.phone.reopens", .must, over: .everywhere,
      "After a session was lost a new one opens, with another session_id, and nothing of the old is played.",
      "TELE, Messages: HELLO; Session rules 1 and 5"),
    Requirement(
      "tele.phone.auth", .must, derived: true, over: [.ble],
      "The first that a phone writes over a link is AUTH, the six bytes of its code.", "TELE, Transports: BLE"),
    Requirement(
      "tele.phone.bye", .should, "The phone says BYE, with its session's id, when it leaves.", "TELE, Session rule 6"),
  ]

  /// The requirements on a host's messages.
  static let hostSending = [
    Requirement(
      "tele.session.heartbeat", .must, derived: true, over: [.ble],
      "From the opening of a session to its end the host sends HEARTBEAT at 2 Hz to the active link: the counter by one, uptime_ms in step with the clock.",
      "TELE, Transports: liveness; Messages: HEARTBEAT"),
    Requirement(
      "tele.hello.ack-form", .must,
      "Every ACK has its carrier's size, a defined status and reserved bytes of 0, and answers a HELLO of whom it goes to.",
      "TELE, Messages: ACK; Session rule 2"),
    Requirement(
      "tele.haptic.sender-range", .must, over: .everywhere,
      "The host never sends an intensity outside 0…1, nor a nonzero reserved byte.",
      "Haptic Feedback API, HAPTIC Message"),
    Requirement(
      "tele.haptic.sender-session", .must, over: .everywhere,
      "HAPTIC goes to the active client only: not before ACK OK, not after its BYE, not after 4 s of its silence.",
      "TELE, Session rules 5 and 8"),
    Requirement(
      "tele.haptic.sender-rate", .should, derived: true, over: .everywhere,
      "Over any 2 s at most 25 HAPTIC go in a second, or a quarter more than the rate that its system file states.",
      "TELE, Session rule 8; semantics, Requirements"),
  ]
}
