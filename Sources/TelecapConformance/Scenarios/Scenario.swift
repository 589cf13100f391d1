import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire

/// One test of one requirement, as it stands in a file under `Scenarios/`.
public struct Scenario: Sendable, Identifiable {
  /// Its path under `Scenarios/` with dots: the requirement's id, and behind it a word where a requirement has several:
  /// `tele.haptic.latest-value-wins.grid`.
  public var id: String
  /// The file, by its path under `Scenarios/`; empty where it follows from a protocol's declaration.
  public var path: String
  /// The file as the person who runs it finds it; empty where there is none.
  public var file = ""
  /// What it tests: the comment in its first line.
  public var sentence: String
  /// The requirement.
  public var requirement: Requirement
  /// How the system under test is set up, its role among it.
  public var setup: Setup
  /// What is sent and asked, in the order of the file.
  public var steps: [Step]
  /// What the other side answers to what asks for a session: the first that holds at the time; nothing where none does.
  public var acknowledges: [Acknowledgement]
  /// What the network does, before the grid.
  public var impairments: Impairments
  /// Only messages of these kinds suffer; empty: all do.
  public var suffering: [MessageKind]
  /// Only what is sent from this time on suffers.
  public var suffersFrom = Timestamp.zero
  /// Every combination of impairments, in the order in which they run; at least one.
  public var combinations: [Impairments]
  /// TCP streams are cut into pieces of so many bytes, one case each; 0, and an empty list, leaves them whole.
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
  /// For what the network is asked, where it changes fields: makes the changes, and carries them out.
  public var changers: [Impairments: MessageChanger] = [:]
  /// How the streams that the system receives are judged, and what it sends.
  public var judging = StreamJudging()
  /// What of it rests on time, so that a machine which was too busy says nothing.
  enum TimeUse {
    /// All: it does things itself, at their times.
    case acts
    /// What came at any time is judged by when it came.
    case judges
    /// Nothing: what came at any time is judged by what it holds, and in which order.
    case none
  }

  /// Of what is judged by traffic as it came it is said by the requirement.
  var timeUse = TimeUse.acts
  /// It does nothing itself: its requirement, one on what a system sends, is judged in the runs of all others of its part.
  public private(set) var isJudgedInEveryRun = false

  /// Leaves it with just this network.
  /// - Throws: `FieldProblem` when that changes fields that no message of its protocol has.
  public mutating func confine(to network: Impairments) throws(FieldProblem) {
    combinations = [network]
    changers = [:]
    if network.changesFields { changers[network] = try Scenario.changer(network, setup) }
  }

  /// Who changes fields for this network.
  static func changer(_ network: Impairments, _ setup: Setup) throws(FieldProblem) -> MessageChanger {
    guard let role = setup.part.role else {
      throw FieldProblem("a \(setup.part) is on no wire: there are no fields that could be changed")
    }
    try MessageChanger.check(network, of: [role.owner], sentBy: [role.side == .host ? .client : .host])
    return try MessageChanger([role.owner], network)
  }

  /// A scenario has at most so many cases, all combinations with all pieces and seeds: their list is made before the first is run.
  public static let mostCases = 100_000

  /// How many cases `cases` would list; made of numbers alone, so that a list which is too long is never made.
  public func caseCount(seeds: Int? = nil, isOnWallClock: Bool = true) -> Int {
    if isJudgedInEveryRun { return 0 }
    let runs = combinations.reduce(0) { $0 + (onlySeed == nil ? seedCount($1, seeds, isOnWallClock) : 1) }
    return runs * max(1, pieces.count)
  }

  private func seedCount(_ impairments: Impairments, _ seeds: Int?, _ isOnWallClock: Bool) -> Int {
    max(1, isRandom(impairments) ? seeds ?? self.seeds : isOnWallClock ? seeds ?? 1 : 1)
  }

  /// Its cases, each combination with each seed; `seeds` in place of the file's own number. Where nothing is random every seed
  /// does the same in virtual time, and one is enough; on the wall clock more may be asked for, since programs differ from run
  /// to run.
  public func cases(seeds: Int? = nil, isOnWallClock: Bool = true) -> [Case] {
    if isJudgedInEveryRun { return [] }
    let pieces: [Int?] = self.pieces.isEmpty ? [nil] : self.pieces.map { $0 > 0 ? $0 : nil }
    return combinations.flatMap { impairments in
      let chosen = onlySeed.map { $0...$0 } ?? 1...UInt64(seedCount(impairments, seeds, isOnWallClock))
      return pieces.flatMap { pieces in
        chosen.map { Case(impairments: impairments, seed: $0, pieces: pieces) }
      }
    }
  }

  /// For each rule on what a part sends the scenario that is judged in every run.
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

  /// A stream is among what carries it, which can be cut into pieces.
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
