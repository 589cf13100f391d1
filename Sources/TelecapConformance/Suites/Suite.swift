import TelecapModels
import TelecapWire

/// The requirements on one kind of system, and everything needed to test them. This module knows it only as data: its
/// subject is in another module.
public struct Suite: Sendable {
  /// Its name, such as `tele`.
  public let name: String
  /// The requirements, in order.
  public let requirements: [Requirement]
  /// The parts of systems in it, each with our model.
  public let models: [PartModel]
  /// The field values of a correct sender; nil where they follow from the declaration of their stream: sequence
  /// numbers, and values that differ.
  public var fields: CorrectFields?
  /// The keys for the setup of a system in scenarios.
  public var setupKeys: [ScenarioKey<SetupChange>] = []
  /// The keys for a system's properties in system files.
  public var systemKeys: [(part: Part, key: ScenarioKey<FactChange>)] = []
  /// Finds a contradiction between these keys of a system file, each of which is valid alone: the path of keys, and
  /// words; nil without one.
  public var systemProblem: @Sendable (SystemFile) -> (path: [String], words: String)? = { _ in nil }
  /// The kinds of events with a name in system files, in addition to sessions, in order.
  public var shows: [EventRule.Kind] = []
  /// The user actions that a system file can bind.
  public var deeds: [UserDeed] = []
  /// The keys of its steps other than messages.
  public var stepKeys: [ScenarioKey<StepMaker>] = []
  /// The keys of actions of a system's user.
  public var actionKeys: [ScenarioKey<any UserAction>] = []
  /// The keys of its expectations in addition to those on traffic.
  public var expectationKeys: [ScenarioKey<any Expectation>] = []

  /// Short valid sessions that make a system show each kind of event, to check the rules of a system file.
  public var checkSessions: [CheckSession] = []

  /// Sessions with values that occur nowhere else, to infer the output mapping of a program.
  public var learningSessions: [LearningSession] = []

  /// Its scenarios without files.
  public var scenarios: [Scenario] = []

  /// A suite without its own keys.
  public init(_ name: String, requirements: [Requirement], models: [PartModel]) {
    self.name = name
    self.requirements = requirements
    self.models = models
  }
}

extension Sequence<Suite> {
  /// The distinct protocols of their parts.
  public var protocols: [WireProtocol] {
    flatMap(\.models).compactMap(\.part.role?.owner).reduce(into: []) { all, owner in
      if !all.contains(where: { $0 === owner }) { all.append(owner) }
    }
  }
}

/// Several suites: all requirements and parts, and the keys of a scenario file.
public struct Suites: Sendable {
  /// The suites, in order.
  public let all: [Suite]
  /// The shape of a scenario file.
  public let shape: YAMLShape
  private let requirementsByID: [String: Requirement]

  /// These suites. Traps if two share the id of a requirement, a part or a key of a scenario.
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

  /// These, and the suite that follows from the declaration of a protocol if none of them covers it.
  public func including(_ owner: WireProtocol) -> Suites {
    let isKnown = Side.allCases.contains { part(Role(owner, $0).name) != nil }
    return isKnown ? self : Suites(all + [.declared(by: owner)])
  }

  /// Their scenarios without files: those that follow from a declaration, and those that are checked in every run.
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
