import TelecapConformance

extension Requirement {
  /// What a system survives.
  static let robustness = [
    Requirement(
      "tele.robust.mutations", .must, "After 10,000 mutated messages the system still answers, and its state is right.",
      "TELE, Session rule 7"),
    Requirement(
      "tele.tcp.framing", .must, "Frames that are split and joined at every byte are understood.",
      "TELE, Transports: framing"),
    Requirement(
      "tele.tcp.bad-length", .must, "A bad length or a wrong magic closes the connection.",
      "TELE, Session rules: tcp-v1"),
  ]
}
