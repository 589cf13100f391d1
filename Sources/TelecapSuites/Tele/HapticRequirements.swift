import TelecapConformance
import TelecapTele

extension Requirement {
  /// The requirements on the forces that a phone plays and a host sends.
  static let haptic = [
    Requirement(
      "tele.haptic.latest-value-wins", .must, over: .everywhere,
      "Once nothing more arrives, the applied value is the last valid one received, clamped.",
      "Haptic Feedback API, Update Rate; semantics, Latest value wins"),
    Requirement(
      "tele.haptic.no-queue", .must, over: .everywhere,
      "After a stall the output settles on the last value, with no catch-up.",
      "Haptic Feedback API, Update Rate"),
    Requirement(
      "tele.haptic.clamp-high", .must, over: .everywhere, "An intensity of more than 1 is played as 1.",
      "Haptic Feedback API, Recommended Haptic Mapping; semantics, Clamping"),
    Requirement(
      "tele.haptic.clamp-low", .must, over: .everywhere, "An intensity of less than 0 is played as 0.",
      "Haptic Feedback API, Recommended Haptic Mapping; semantics, Clamping"),
    Requirement(
      "tele.haptic.not-a-number", .must, derived: true, over: .everywhere,
      "NaN is played as 0 or dropped with the value unchanged, never as more than before; so ±∞, but for what it is clamped to.",
      "semantics, Clamping and what is not a number"),
    Requirement(
      "tele.haptic.zero-stops", .must, over: .everywhere, "Intensity 0 stops continuous output.",
      "Haptic Feedback API, Notes"),
    Requirement(
      "tele.haptic.impact-mapping", .should, over: .everywhere,
      "Impacts are nothing, light, medium and heavy, with the borders at 0.1, 0.4 and 0.7.",
      "Haptic Feedback API, Recommended Haptic Mapping, option A"),
    Requirement(
      "tele.haptic.needs-session", .must, "HAPTIC before ACK plays nothing.", "Haptic Feedback API, When to Listen"),
    Requirement(
      "tele.haptic.channel-ignored", .must, over: .everywhere, "A HAPTIC with a nonzero channel plays all the same.",
      "Haptic Feedback API, Notes"),
  ]
}
