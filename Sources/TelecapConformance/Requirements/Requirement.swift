import TelecapRecording

/// One requirement of a protocol, as data (semantics.md, Requirements). Ids are permanent.
public struct Requirement: Hashable, Sendable, Identifiable {
  /// Its weight (semantics, Verdicts).
  public enum Level: String, Sendable, CaseIterable {
    /// A failure fails the run.
    case must
    /// A failure is reported, and fails the run only on request.
    case should
  }

  /// Its name, such as `tele.hello.busy`.
  public let id: String
  /// Its weight.
  public let level: Level
  /// Whether telecap inferred it; reports must say so.
  public let isDerived: Bool
  /// The requirement, in one sentence.
  public let sentence: String
  /// The part of the specification that states it.
  public let source: String
  /// The transports to which it applies.
  public let carriers: [Carrier]

  /// A requirement, which applies to each transport with addresses by default.
  public init(
    _ id: String, _ level: Level, derived: Bool = false, over carriers: [Carrier] = Carrier.overIP, _ sentence: String,
    _ source: String
  ) {
    self.id = id
    self.carriers = carriers
    self.level = level
    isDerived = derived
    self.sentence = sentence
    self.source = source
  }
}
