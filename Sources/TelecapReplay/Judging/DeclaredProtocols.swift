import TelecapConformance
import TelecapWire

/// The protocols that a suite run loads from files, and their requirements.
public struct DeclaredProtocols {
  private let protocols: [WireProtocol]
  private let suites: Suites
  private let ids: Set<String>

  /// These protocols, which must be among those of `suites`.
  public init(_ protocols: [WireProtocol], in suites: Suites) {
    (self.protocols, self.suites) = (protocols, suites)
    let names = Set(protocols.map(\.name))
    ids = Set(suites.all.filter { names.contains($0.name) }.flatMap(\.requirements).map(\.id))
  }

  /// The reasons why no part of a protocol can be tested, with the missing declarations, a sentence for each.
  public var problems: [String] { protocols.compactMap(Suite.untested) }

  /// The requirements of all suites, those of these protocols first; only these if `only` is set.
  public func requirements(only: Bool) -> [Requirement] {
    let all = suites.requirements
    return all.filter { ids.contains($0.id) } + (only ? [] : all.filter { !ids.contains($0.id) })
  }

  /// The scenarios of `scenarios` that test these protocols; all if `only` is not set.
  /// - Throws: `ReplayProblem.noneLeft` when none of them does.
  public func chosen(of scenarios: [Scenario], only: Bool) throws(ReplayProblem) -> [Scenario] {
    guard only else { return scenarios }
    let own = scenarios.filter { ids.contains($0.requirement.id) }
    if own.isEmpty { throw .noneLeft(by: ["--only-protocol"]) }
    return own
  }
}
