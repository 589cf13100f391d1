import TelecapConformance
import TelecapSuites

/// For each requirement a mutant that it catches and no other does: without its scenarios the suite would pass a wrong system.
public struct OnlyWitnesses: Sendable {
  /// A requirement with its mutant.
  public struct Row: Sendable {
    public let requirement: String
    /// The mutant that the fewest others catch, among those that it was the first to catch or must catch.
    public let mutant: Mutant?
    /// The others that catch it.
    public let others: [String]

    /// No other catches it.
    public var isAlone: Bool { mutant != nil && others.isEmpty }
  }

  public let rows: [Row]
  /// So many mutants of a requirement are looked at when none is its own.
  private static let most = 60

  /// Looks for them after a run, on so many threads.
  ///
  /// - Throws: `SystemError` when a mutant cannot be set up.
  public init(
    of requirements: [String] = Suites.all.requirements.map(\.id), _ mutants: [Mutant], _ fates: [String: Fate],
    _ runner: MutantRunner, jobs: Int
  ) async throws {
    let candidates = OnlyWitnesses.candidates(requirements, mutants, fates)
    let jobs = max(1, jobs)
    rows = try await withThrowingTaskGroup(of: [(Int, Row)].self) { group in
      for job in 0..<jobs {
        group.addTask {
          try stride(from: job, to: requirements.count, by: jobs).map { index in
            (index, try OnlyWitnesses.row(requirements[index], candidates[index], runner))
          }
        }
      }
      var rows: [(Int, Row)] = []
      for try await part in group { rows += part }
      return rows.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The requirements that catch nothing by themselves.
  public var missing: [Row] { rows.filter { !$0.isAlone } }

  /// For each requirement the mutants that it was the first to catch, then those that it must catch.
  private static func candidates(
    _ requirements: [String], _ mutants: [Mutant], _ fates: [String: Fate]
  ) -> [[Mutant]] {
    let caught = Dictionary(grouping: mutants) { mutant in
      if case .killed(_, let requirement)? = fates[mutant.name] { requirement } else { "" }
    }
    return requirements.map { requirement in
      caught[requirement, default: []]
        + mutants.filter { $0.requirements.contains(requirement) && fates[$0.name]?.isKilled == true }
    }
  }

  private static func row(_ requirement: String, _ candidates: [Mutant], _ runner: MutantRunner) throws -> Row {
    if let own = try candidates.first(where: { try runner.breaksOnly(requirement, $0) }) {
      return Row(requirement: requirement, mutant: own, others: [])
    }
    let nearest = try candidates.prefix(most).map { ($0, Set(try runner.failures(of: $0).keys)) }
      .filter { $0.1.contains(requirement) }.min { $0.1.count < $1.1.count }
    return Row(
      requirement: requirement, mutant: nearest?.0, others: nearest?.1.subtracting([requirement]).sorted() ?? [])
  }
}
