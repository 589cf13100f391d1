import TelecapConformance

/// The score of a run over all mutants, by role and by kind of change, as text.
public struct Score: Sendable {
  private let mutants: [Mutant]
  private let fates: [String: Fate]
  /// The names of those that are equivalent.
  private let listed: Set<String>

  /// The score of these mutants.
  public init(_ mutants: [Mutant], _ fates: [String: Fate], _ equivalents: Equivalents) {
    (self.mutants, self.fates) = (mutants, fates)
    listed = Set(mutants.map(\.name).filter(equivalents.holds))
  }

  /// Those that were not killed and are not equivalent, in their order.
  public var survivors: [Mutant] {
    mutants.filter { fates[$0.name]?.isKilled == false && !listed.contains($0.name) }
  }

  /// Those that were killed, but first by a requirement that their place does not name.
  public var caughtByOthers: [(mutant: Mutant, by: String)] {
    mutants.compactMap { mutant in
      guard case .killed(let scenario, let requirement)? = fates[mutant.name], !mutant.requirements.isEmpty,
        !mutant.requirements.contains(requirement)
      else { return nil }
      return (mutant, scenario)
    }
  }

  /// How many there are, in words.
  public var summary: String {
    let killed = mutants.count { fates[$0.name]?.isKilled == true }
    let unreached = survivors.count { note(of: $0) == Score.unreached }
    return "\(mutants.count) mutants: \(killed) caught, \(listed.count) equivalent, "
      + "\(survivors.count) survived, \(unreached) of them never reached"
  }

  private static let unreached = "never reached"

  /// The known reason why a mutant survived; empty if its change was reached and made no difference to a verdict.
  private func note(of mutant: Mutant) -> String {
    guard case .survived(let isReached, let inconclusive)? = fates[mutant.name] else { return "not run" }
    guard inconclusive.isEmpty else { return "only inconclusive: \(inconclusive.joined(separator: " "))" }
    return isReached ? "" : Score.unreached
  }

  /// The lines of the report: mutants that another requirement caught, and the places where some survived, with their
  /// changes.
  public var lines: [String] {
    caughtByOthers.map { "caught by \($0.by), which its place does not name: \($0.mutant)" } + places
  }

  private var places: [String] {
    var order: [String] = []
    var changes: [String: [String]] = [:]
    for mutant in survivors {
      let parts = mutant.name.split(separator: "/")
      let note = note(of: mutant)
      let place = "survived\(note.isEmpty ? "" : " (\(note))"): \(parts.dropLast().joined(separator: "/"))"
      if changes[place] == nil { order.append(place) }
      changes[place, default: []].append(String(parts.last ?? ""))
    }
    return order.map { "\($0)/ \(changes[$0, default: []].joined(separator: " "))" }
  }

  /// A table: rows are kinds of change, columns roles and transports, cells killed of those that are not equivalent.
  public var table: String {
    let columns = mutants.map(\.end).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let rows = Operator.allCases.filter { kind in mutants.contains { $0.kind == kind } }.map { kind in
      [kind.rawValue] + columns.map { column in cell { $0.kind == kind && $0.end == column } } + [
        cell { $0.kind == kind }
      ]
    }
    let sums = ["all"] + columns.map { column in cell { $0.end == column } } + [cell { _ in true }]
    let lines = [[""] + columns + ["all"]] + rows + [sums]
    let widths = (columns + ["", ""]).indices.map { index in lines.map { $0[index].count }.max() ?? 0 }
    return lines.map { line in
      line.enumerated().map { index, text in
        let room = String(repeating: " ", count: widths[index] - text.count)
        return index == 0 ? text + room : room + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func cell(_ isOf: (Mutant) -> Bool) -> String {
    let own = mutants.filter { isOf($0) && !listed.contains($0.name) }
    guard !own.isEmpty else { return "–" }
    return "\(own.count { fates[$0.name]?.isKilled == true })/\(own.count)"
  }
}

extension Mutant {
  /// Role and transport; of a device its role.
  var end: String { name.split(separator: "/").prefix(part.role == nil ? 1 : 2).joined(separator: "/") }
}
