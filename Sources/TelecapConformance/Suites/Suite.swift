import TelecapModels
import TelecapWire

/// What is required of systems of one kind, and all that it takes to try them. Conformance knows it as data only: what it
/// is about stands in a room of its own.
public struct Suite: Sendable {
  /// Its name, such as `tele`.
  public let name: String
  /// What it requires, in the order in which it is listed.
  public let requirements: [Requirement]
  /// The parts that a system can play in it, each with our model.
  public let models: [PartModel]
  /// What a correct sender puts into its messages; nil where that follows from the declaration of their stream: a number
  /// each, and values that differ.
  public var fields: CorrectFields?
  /// What its scenarios set a system up with.
  public var setupKeys: [ScenarioKey<SetupChange>] = []
  /// What a system file may say of a system that plays one of its parts.
  public var systemKeys: [(part: Part, key: ScenarioKey<FactChange>)] = []
  /// What is wrong with what a system file says by these keys, though each is right by itself: the keys on the way to it, and
  /// words; nil where nothing is.
  public var systemProblem: @Sendable (SystemFile) -> (path: [String], words: String)? = { _ in nil }
  /// What its systems show that a system file has a name for, beside sessions, in the order in which names are listed.
  public var shows: [EventRule.Kind] = []
  /// What a user does of which a system file may say how it is brought about.
  public var deeds: [UserDeed] = []
  /// What stands in its steps beside messages.
  public var stepKeys: [ScenarioKey<StepMaker>] = []
  /// What a step asks the user of a system to do.
  public var actionKeys: [ScenarioKey<any UserAction>] = []
  /// What its scenarios expect beside what is judged by the wire.
  public var expectationKeys: [ScenarioKey<any Expectation>] = []

  /// Short right sessions that make a system show each kind of event, by which the rules of a system file are checked.
  public var checkSessions: [CheckSession] = []

  /// Sessions of values that occur nowhere else, by which it is found out how a program shows what it does.
  public var learningSessions: [LearningSession] = []

  /// Scenarios that come with it, beside those of files.
  public var scenarios: [Scenario] = []

  /// A suite without keys of its own.
  public init(_ name: String, requirements: [Requirement], models: [PartModel]) {
    self.name = name
    self.requirements = requirements
    self.models = models
  }
}

extension Sequence<Suite> {
  /// The protocols that their parts speak, each once.
  public var protocols: [WireProtocol] {
    flatMap(\.models).compactMap(\.part.role?.owner).reduce(into: []) { all, owner in
      if !all.contains(where: { $0 === owner }) { all.append(owner) }
    }
  }
}

/// Suites together: which requirements and parts there are, and what may stand in a scenario file.
public struct Suites: Sendable {
  /// The suites, in the order in which they are listed.
  public let all: [Suite]
  /// What may stand in a scenario file.
  public let shape: YAMLShape
  private let requirementsByID: [String: Requirement]

  /// These suites. Two that share the id of a requirement, a part or a key of a scenario cannot be told apart: it traps.
  public init(_ all: [Suite]) {
    self.all = all
    shape = ScenarioShape.scenario(all)
    requirementsByID = Dictionary(uniqueKeysWithValues: all.flatMap(\.requirements).map { ($0.id, $0) })
    let parts = all.flatMap(\.models).map(\.part)
    precondition(Set(parts).count == parts.count, "a part belongs to one suite")
    for keys in [
      all.flatMap(\.setupKeys).map(\.key.name), all.flatMap(\.actionKeys).map(\.key.name),
      all.flatMap(\.systemKeys).map(\.key.key.name),
    ] {
      precondition(Set(keys).count == keys.count, "a key of a scenario belongs to one suite")
    }
  }

  /// These, and what follows from the declaration of a protocol where none of them is about it.
  public func including(_ owner: WireProtocol) -> Suites {
    let isKnown = Side.allCases.contains { part(Role(owner, $0).name) != nil }
    return isKnown ? self : Suites(all + [.declared(by: owner)])
  }

  /// The scenarios that come with them: those that follow from a declaration, and those that are judged in every run.
  public var scenarios: [Scenario] {
    all.flatMap(\.scenarios) + models.flatMap { Scenario.always($0.judging, of: $0.part) }
  }

  /// Every requirement, in the order of the suites.
  public var requirements: [Requirement] { all.flatMap(\.requirements) }

  /// The requirement of this id, nil where there is none.
  public func requirement(_ id: String) -> Requirement? { requirementsByID[id] }

  /// Our model of each part.
  public var models: [PartModel] { all.flatMap(\.models) }

  /// Every part that a system can play.
  public var parts: [Part] { models.map(\.part) }

  /// The part of this name, nil where there is none.
  public func part(_ name: String) -> Part? { parts.first { $0.name == name } }

  /// Our model of a part, nil where there is none.
  public func model(of part: Part) -> PartModel? { models.first { $0.part == part } }
}
