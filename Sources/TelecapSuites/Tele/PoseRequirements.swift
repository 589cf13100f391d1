import TelecapConformance

extension Requirement {
  /// The requirements on the poses that a host applies.
  static let pose = [
    Requirement(
      "tele.pose.latest-value-wins", .must, over: .everywhere,
      "A pose is applied only if it is newer than every pose applied before it in the session, also across 65535 → 0.",
      "semantics, Latest value wins; RFC 1982"),
    Requirement(
      "tele.pose.half-range", .should, derived: true, over: .everywhere,
      "A pose whose seq lies exactly 32768 from the newest, which RFC 1982 leaves open, is not newer.",
      "semantics, Latest value wins; RFC 1982"),
    Requirement(
      "tele.pose.duplicate", .must, over: .everywhere, "A duplicate pose is not applied again.",
      "semantics, Latest value wins"),
    Requirement(
      "tele.pose.non-finite", .must, derived: true, over: .everywhere,
      "A pose that holds NaN or ∞, in any of its seven numbers, is not applied, and does not count as the newest.",
      "semantics, Clamping and what is not a number"),
    Requirement(
      "tele.pose.quaternion", .should, over: .everywhere,
      "A pose whose quaternion is not a unit is applied as it came or dropped, never half.",
      "semantics, Clamping and what is not a number"),
  ]

  /// The requirements on the commands of the phone's user.
  static let command = [
    Requirement(
      "tele.cmd.unknown", .must, over: .everywhere, "A CMD of an unknown cmd_type is ignored.", "TELE, Messages: CMD"),
    Requirement(
      "tele.cmd.duplicate", .should, over: .everywhere, "A duplicate CMD changes nothing.",
      "semantics, Latest value wins: CMD"),
  ]
}
