import TelecapRecording

/// One thing that the protocols require, as data (semantics.md, Requirements). Ids are names and do not change.
public struct Requirement: Hashable, Sendable, Identifiable {
  /// How much it weighs (semantics, Verdicts).
  public enum Level: String, Sendable, CaseIterable {
    /// A failure fails the run.
    case must
    /// A failure is told, and fails the run only when that is asked for.
    case should
  }

  /// Its name, such as `tele.hello.busy`.
  public let id: String
  /// How much it weighs.
  public let level: Level
  /// The rule is ours, not the text's; a report must say so.
  public let isDerived: Bool
  /// What is required, in one sentence.
  public let sentence: String
  /// Where the text says so.
  public let source: String
  /// The carriers over which it holds.
  public let carriers: [Carrier]

  /// A requirement of these values; it holds over each carrier with addresses unless told otherwise.
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
