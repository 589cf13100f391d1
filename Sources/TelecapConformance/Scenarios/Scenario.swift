import TelecapImpairment
import TelecapRecording
import TelecapWire

/// One test of one requirement, as it stands in a file under `Scenarios/`.
public struct Scenario: Sendable, Identifiable {
  /// Its path under `Scenarios/` with dots: the requirement's id, and behind it a word where a requirement has several:
  /// `tele.haptic.latest-value-wins.grid`.
  public var id: String
  /// The file.
  public var path: String
  /// What it tests: the comment in its first line.
  public var sentence: String
  /// The requirement.
  public var requirement: Requirement
  /// How the system under test is set up, its role among it.
  public var setup: Setup
  /// What is sent and asked, in the order of the file.
  public var steps: [Step]
  /// What the other side answers.
  public var acknowledges: Acknowledges
  /// What the network does, before the grid.
  public var impairments: Impairments
  /// Only messages of these kinds suffer; empty: all do.
  public var suffering: [MessageKind]
  /// Every combination of impairments, in the order in which they run; at least one.
  public var combinations: [Impairments]
  /// TCP streams are cut into pieces of so many bytes, one case each; empty leaves them whole.
  public var pieces: [Int]
  /// How many seeds each combination is run with: 1, 2, 3 …
  public var seeds: Int
  /// Only this seed, in place of all; nil unless one case is to be repeated.
  public var onlySeed: UInt64?
  /// What must hold.
  public var expectations: [any Expectation]
  /// When a run ends.
  public var end: Timestamp
  /// What is sent in place of `steps`, where it comes from a recording.
  public var recorded: RecordedStimulus?
  /// How the streams that the system receives are judged.
  public var judging = StreamJudging()

  /// When the other side answers what asks for a session.
  public enum Acknowledges: Hashable, Sendable {
    /// Never.
    case never
    /// From the first time up to the second, with these bytes.
    case between(Timestamp, Timestamp, with: [UInt8])
  }

  /// Its cases, each combination with each seed; `seeds` in place of the file's own number. Where nothing is random
  /// every seed would do the same, and one is enough unless more are asked for.
  public func cases(seeds: Int? = nil) -> [Case] {
    let pieces: [Int?] = self.pieces.isEmpty ? [nil] : self.pieces
    return combinations.flatMap { impairments in
      let count = UInt64(max(1, seeds ?? (isRandom(impairments) ? self.seeds : 1)))
      let chosen = onlySeed.map { $0...$0 } ?? 1...count
      return pieces.flatMap { pieces in
        chosen.map { Case(impairments: impairments, seed: $0, pieces: pieces) }
      }
    }
  }

  private func isRandom(_ impairments: Impairments) -> Bool {
    let isRandom = steps.contains { step in
      switch step.work {
      case .mutate: true
      case .ask(let action): action.isRandom
      case .send, .open, .close: false
      }
    }
    return isRandom || impairments.isRandom
  }
}
