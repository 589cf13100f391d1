import TelecapConformance
import TelecapRecording

/// The result of a mutant.
public enum Fate: Sendable {
  /// This scenario failed, of this requirement.
  case killed(by: String, requirement: String)
  /// None failed; whether the change ever made a difference to what came in, went out or was shown, and the scenarios
  /// that became inconclusive.
  case survived(isReached: Bool, inconclusive: [String])

  /// It was caught.
  public var isKilled: Bool { if case .killed = self { true } else { false } }
}

/// The scenarios of all parts, made into scripts once, the shortest first; of a grid some cases only.
public struct MutantRunner: Sendable {
  /// A case with its script.
  struct Prepared: Sendable {
    let scenario: Scenario
    let one: Case
    let script: Script
    let cost: Int
  }

  /// A right model that does not pass, so that nothing can be learnt from its mutants.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  private let prepared: [Prepared]
  /// The limit in steps: a longer case, a quarter of an hour of poses, runs only on a mutant that it must catch.
  private static let longest = 20_000
  /// How many cases there are.
  public var count: Int { prepared.count }

  /// The cases of these scenarios; of each at most so many, evenly spread.
  public init(_ scenarios: [Scenario], casesEach: Int = 4) {
    let parts = Set(Mutants.models.map(\.part))
    prepared = scenarios.filter { parts.contains($0.setup.part) }.flatMap { scenario in
      MutantRunner.spread(scenario.cases(), casesEach).map { one in
        let script = scenario.script(for: one)
        let length = Int(script.end.nanoseconds / 50_000_000)
        return Prepared(
          scenario: scenario, one: one, script: script, cost: script.actions.count + script.meant.count + length)
      }
    }.sorted { ($0.cost, $0.scenario.id) < ($1.cost, $1.scenario.id) }
  }

  private static func spread<T>(_ list: [T], _ most: Int) -> [T] {
    guard list.count > most, most > 1 else { return Array(list.prefix(max(1, most))) }
    return (0..<most).map { list[$0 * (list.count - 1) / (most - 1)] }
  }

  /// The right models fail none of the cases.
  ///
  /// - Throws: `Problem` that names the first that one fails.
  public func checkRightModels() throws {
    for model in Mutants.models {
      guard case .killed(let scenario, _) = try fate(of: Mutants.unchanged(model)) else { continue }
      throw Problem(description: "the right \(model) fails \(scenario): nothing can be learnt from its mutants")
    }
  }

  /// The result of a mutant: it ends at its first failure. The requirements that must catch it run first.
  ///
  /// - Throws: `SystemError` when it cannot be set up.
  public func fate(of mutant: Mutant) throws(SystemError) -> Fate {
    let own = prepared.filter { mutant.concerns($0.script.setup) }
    let meant = Set(mutant.requirements)
    let reach = Reach()
    let system = mutant.system(reach)
    var inconclusive: [String] = []
    for one in own.filter({ meant.contains($0.scenario.requirement.id) })
      + own.filter({ !meant.contains($0.scenario.requirement.id) && $0.cost < MutantRunner.longest })
    {
      let log = try system.runNow(one.script)
      let result = Judge.judge(log, one.script, of: one.one, in: one.scenario)
      if let requirement = MutantRunner.broken(result, in: one.scenario).first {
        return .killed(by: one.scenario.id, requirement: requirement)
      }
      if result.verdict == .inconclusive, !inconclusive.contains(one.scenario.id) {
        inconclusive.append(one.scenario.id)
      }
    }
    return .survived(isReached: reach.isTouched, inconclusive: inconclusive)
  }

  /// The requirements that a run broke: the only place that knows what a failure is.
  private static func broken(_ result: CaseResult, in scenario: Scenario) -> [String] {
    (result.verdict == .fail ? [scenario.requirement.id] : [])
      + result.sending.filter { !$0.breaches.isEmpty }.map(\.requirement)
  }

  /// All requirements that a mutant fails, each with its scenarios that showed it.
  ///
  /// - Throws: `SystemError` when it cannot be set up.
  public func failures(of mutant: Mutant) throws(SystemError) -> [String: Set<String>] {
    let system = mutant.system(Reach())
    var failures: [String: Set<String>] = [:]
    for one in prepared where mutant.concerns(one.script.setup) {
      let log = try system.runNow(one.script)
      let result = Judge.judge(log, one.script, of: one.one, in: one.scenario)
      for requirement in MutantRunner.broken(result, in: one.scenario) {
        failures[requirement, default: []].insert(one.scenario.id)
      }
    }
    return failures
  }

  /// Whether no run of a mutant breaks any requirement but this one.
  ///
  /// - Throws: `SystemError` when it cannot be set up.
  func breaksOnly(_ requirement: String, _ mutant: Mutant) throws(SystemError) -> Bool {
    let system = mutant.system(Reach())
    for one in prepared
    where mutant.concerns(one.script.setup)
      && (one.scenario.requirement.id == requirement || one.cost < MutantRunner.longest)
    {
      let log = try system.runNow(one.script)
      let result = Judge.judge(log, one.script, of: one.one, in: one.scenario)
      guard MutantRunner.broken(result, in: one.scenario).allSatisfy({ $0 == requirement }) else { return false }
    }
    return true
  }

  /// The results of these mutants, on so many threads.
  ///
  /// - Throws: `SystemError` when one cannot be set up.
  public func fates(of mutants: [Mutant], jobs: Int) async throws -> [String: Fate] {
    let jobs = max(1, jobs)
    return try await withThrowingTaskGroup(of: [(String, Fate)].self) { group in
      for job in 0..<jobs {
        group.addTask {
          try stride(from: job, to: mutants.count, by: jobs).map { (mutants[$0].name, try fate(of: mutants[$0])) }
        }
      }
      var fates: [String: Fate] = [:]
      for try await part in group { for (name, fate) in part { fates[name] = fate } }
      return fates
    }
  }

  /// The names of those of these mutants whose change some run reaches.
  ///
  /// - Throws: `SystemError` when one cannot be set up.
  public func reached(_ mutants: [Mutant], jobs: Int) async throws -> [String] {
    try await fates(of: mutants, jobs: jobs).compactMap { name, fate -> String? in
      if case .survived(isReached: false, _) = fate { nil } else { name }
    }.sorted()
  }
}
