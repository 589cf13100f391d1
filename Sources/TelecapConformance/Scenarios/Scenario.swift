import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// One test of one requirement, as in a file under `Scenarios/`.
public struct Scenario: Sendable, Identifiable {
  /// Its path under `Scenarios/` with dots: the requirement's id, followed by a word where a requirement has several:
  /// `tele.haptic.latest-value-wins.grid`.
  public var id: String
  /// The file, by its path under `Scenarios/`; empty where the scenario follows from a protocol's declaration.
  public var path: String
  /// The file as the path for a person; empty where there is none.
  public var file = ""
  /// A description: the comment in its first line.
  public var sentence: String
  /// The requirement.
  public var requirement: Requirement
  /// The setup of the system under test with its part.
  public var setup: Setup
  /// The messages and actions, in the order of the file.
  public var steps: [Step]
  /// The answers of the other side to session requests: the first for the time applies, or none.
  public var acknowledges: [Acknowledgement]
  /// The impairments, without the grid.
  public var impairments: Impairments
  /// The kinds of messages that are impaired; all if empty.
  public var suffering: [MessageKind]
  /// The time from which messages are impaired.
  public var suffersFrom = Timestamp.zero
  /// Every combination of impairments, in the order of runs; at least one.
  public var combinations: [Impairments]
  /// The sizes in bytes into which TCP streams are cut, with one case for each; 0, and an empty list, leaves them
  /// whole.
  public var pieces: [Int]
  /// The number of seeds for each combination: 1, 2, 3 …
  public var seeds: Int
  /// The only seed, to repeat one case; nil for all.
  public var onlySeed: UInt64?
  /// The descriptions of the only cases, to repeat those that failed; nil for all. If it has none of them, because it
  /// was changed, it has all its cases.
  public var onlyCases: Set<String>?
  /// The expectations.
  public var expectations: [any Expectation]
  /// The end of a run.
  public var end: Timestamp
  /// The recording that replaces `steps`, if any.
  public var recorded: RecordedStimulus?
  /// The changers of fields for impairments that need one.
  public var changers: [Impairments: MessageChanger] = [:]
  /// How the received streams and the sent messages are tested.
  public var judging = StreamJudging()
  /// The part of the verdict that depends on time, and is inconclusive on a machine that was too busy.
  enum TimeUse {
    /// The steps: it performs actions at their times.
    case acts
    /// The verdict: it depends on the times of foreign traffic.
    case judges
    /// Nothing: the verdict depends only on the content and order of messages.
    case none
  }

  /// The use of time. For foreign traffic it depends on the requirement.
  var timeUse = TimeUse.acts
  /// Whether it has no steps: its requirement, on the messages of a system, is checked in the runs of all others of its
  /// part.
  public private(set) var isJudgedInEveryRun = false

  /// Replaces its impairments by these.
  /// - Throws: `FieldProblem` when they change fields that no message of its protocol has.
  public mutating func confine(to network: Impairments) throws(FieldProblem) {
    combinations = [network]
    changers = [:]
    if network.changesFields { changers[network] = try Scenario.changer(network, setup) }
  }

  /// The changer of fields for these impairments.
  static func changer(_ network: Impairments, _ setup: Setup) throws(FieldProblem) -> MessageChanger {
    guard let role = setup.part.role else {
      throw FieldProblem("a \(setup.part) has no transport: there are no fields to change")
    }
    try MessageChanger.check(network, of: [role.owner], sentBy: [role.side == .host ? .client : .host])
    return try MessageChanger([role.owner], network)
  }

  /// The maximum number of cases in a scenario: all combinations with all sizes and seeds, listed before the first run.
  public static let mostCases = 100_000

  /// The number of cases that `cases` would list without `onlyCases`, computed without the list, which may be too long.
  public func caseCount(seeds: Int? = nil, isOnWallClock: Bool = true) -> Int {
    if isJudgedInEveryRun { return 0 }
    let runs = combinations.reduce(0) { $0 + (onlySeed == nil ? seedCount($1, seeds, isOnWallClock) : 1) }
    return runs * max(1, pieces.count)
  }

  private func seedCount(_ impairments: Impairments, _ seeds: Int?, _ isOnWallClock: Bool) -> Int {
    max(1, isRandom(impairments) ? seeds ?? self.seeds : isOnWallClock ? seeds ?? 1 : 1)
  }

  /// Its cases, each combination with each seed; `seeds` replaces the file's number. Without random choices one seed
  /// suffices in virtual time; on the wall clock more may be requested, since programs vary between runs.
  public func cases(seeds: Int? = nil, isOnWallClock: Bool = true) -> [Case] {
    if isJudgedInEveryRun { return [] }
    let all = allCases(seeds: seeds, isOnWallClock: isOnWallClock)
    guard let onlyCases else { return all }
    let chosen = all.filter { onlyCases.contains($0.description) }
    return chosen.isEmpty ? all : chosen
  }

  private func allCases(seeds: Int?, isOnWallClock: Bool) -> [Case] {
    let pieces: [Int?] = self.pieces.isEmpty ? [nil] : self.pieces.map { $0 > 0 ? $0 : nil }
    return combinations.flatMap { impairments in
      let chosen = onlySeed.map { $0...$0 } ?? 1...UInt64(seedCount(impairments, seeds, isOnWallClock))
      return pieces.flatMap { pieces in
        chosen.map { Case(impairments: impairments, seed: $0, pieces: pieces) }
      }
    }
  }

  /// A scenario for each rule on a part's messages, checked in every run.
  static func always(_ judging: StreamJudging, of part: Part) -> [Scenario] {
    judging.sending.map { rule in
      var scenario = Scenario(
        id: rule.requirement.id + ".always", path: "",
        sentence: "In every run: " + rule.requirement.sentence,
        requirement: rule.requirement,
        setup: Setup(
          part: part, carrier: rule.requirement.carriers.contains(.udp) ? .udp : rule.requirement.carriers[0]),
        steps: [], acknowledges: [], impairments: .none,
        suffering: [], combinations: [.none], pieces: [], seeds: 1, onlySeed: nil,
        expectations: [WireExpectation.sends(rule.requirement.id)], end: .zero, judging: judging)
      scenario.isJudgedInEveryRun = true
      return scenario
    }
  }

  /// Whether it uses a byte stream, which can be cut into segments.
  public var hasStream: Bool { setup.carrier == .tcp || setup.part.role?.owner.mixesCarriers == true }

  private func isRandom(_ impairments: Impairments) -> Bool {
    let isRandom = steps.contains { step in
      switch step.work {
      case .mutate: true
      case .ask(let action): action.isRandom
      case .send, .open, .close, .reset, .endSession: false
      }
    }
    return isRandom || impairments.isRandom
  }
}
