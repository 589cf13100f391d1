import TelecapConformance
import TelecapRecording

extension Requirement {
  /// The requirements on robustness.
  static let robustness = [
    Requirement(
      "tele.robust.mutations", .must, over: .everywhere,
      "After 10,000 mutated messages the system still answers, and its state is right.",
      "TELE, Session rule 7"),
    Requirement(
      "tele.tcp.framing", .must, over: [.tcp], "Frames that are split and joined at every byte are understood.",
      "TELE, Transports: framing"),
    Requirement(
      "tele.tcp.hello-timeout", .must, over: [.tcp], "A connection without a HELLO within 5 s (4.5…7) is closed.",
      "TELE, Session rules: tcp-v1"),
    Requirement(
      "tele.tcp.bad-length", .must, over: [.tcp], "A bad length or a wrong magic closes the connection.",
      "TELE, Session rules: tcp-v1"),
  ]
}
