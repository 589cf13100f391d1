/// Shrinks the impairments of a failing run to a minimal set: delta debugging (A. Zeller and R. Hildebrandt,
/// Simplifying and Isolating Failure-Inducing Input, 2002, the algorithm ddmin).
///
/// Pure: it decides which impairments to try, and the caller's closure runs them.
public struct Shrinker: Sendable {
  /// The maximum number of runs; after that it returns the best set so far.
  public var limit: Int

  /// A shrinker with this maximum number of runs.
  public init(limit: Int = 2_000) { self.limit = max(1, limit) }

  /// A minimal set of impairments that still fails; nil when all of them together did not fail again.
  ///
  /// - Parameter stillFails: runs with these impairments only, and returns whether the run fails.
  public func shrink<Fault: Sendable>(
    _ faults: [Fault], stillFails: @Sendable ([Fault]) async throws -> Bool
  ) async rethrows -> Shrunk<Fault>? {
    var search = Search(kept: faults, limit: limit)
    guard try await search.fails(faults, stillFails) else { return nil }
    if faults.isEmpty { return search.result }
    if try await search.keep([], stillFails) { return search.result }
    var parts = 2
    while search.kept.count > 1, !search.isSpent {
      let pieces = Search.split(search.kept, into: min(parts, search.kept.count))
      if try await search.keepOne(of: pieces, stillFails) {
        parts = 2
      } else if pieces.count > 2, try await search.keepOne(of: Search.complements(pieces), stillFails) {
        parts = max(2, pieces.count - 1)
      } else if pieces.count == search.kept.count {
        break
      } else {
        parts = pieces.count * 2
      }
    }
    return search.result
  }
}

/// The result of a shrinker.
public struct Shrunk<Fault: Sendable>: Sendable {
  /// The impairments in order. Empty: the run fails without impairments.
  public var faults: [Fault]
  /// The number of runs.
  public var runs: Int
  /// Whether the run passes without any single one of them; false when the maximum number of runs was reached first.
  public var isMinimal: Bool

  /// A result with these values.
  public init(faults: [Fault], runs: Int, isMinimal: Bool) {
    self.faults = faults
    self.runs = runs
    self.isMinimal = isMinimal
  }
}

extension Shrunk: Equatable where Fault: Equatable {}

/// The state of a search.
private struct Search<Fault: Sendable> {
  var kept: [Fault]
  var limit: Int
  var runs = 0
  /// Whether the maximum number of runs was reached.
  var isSpent = false

  var result: Shrunk<Fault> { Shrunk(faults: kept, runs: runs, isMinimal: !isSpent) }

  mutating func fails(_ faults: [Fault], _ stillFails: ([Fault]) async throws -> Bool) async rethrows -> Bool {
    guard runs < limit else {
      isSpent = true
      return false
    }
    runs += 1
    return try await stillFails(faults)
  }

  /// Continues with these if they still fail.
  mutating func keep(_ faults: [Fault], _ stillFails: ([Fault]) async throws -> Bool) async rethrows -> Bool {
    guard try await fails(faults, stillFails) else { return false }
    kept = faults
    return true
  }

  /// Continues with the first of these that still fails.
  mutating func keepOne(of lists: [[Fault]], _ stillFails: ([Fault]) async throws -> Bool) async rethrows -> Bool {
    for faults in lists {
      if try await keep(faults, stillFails) { return true }
      if isSpent { return false }
    }
    return false
  }

  /// The list in pieces of about the same length, none of them empty; `parts` is at most the list's length.
  static func split(_ list: [Fault], into parts: Int) -> [[Fault]] {
    (0..<parts).map { Array(list[(list.count * $0 / parts)..<(list.count * ($0 + 1) / parts)]) }
  }

  /// For each piece, all the others.
  static func complements(_ pieces: [[Fault]]) -> [[Fault]] {
    pieces.indices.map { left in Array(pieces.indices.filter { $0 != left }.map { pieces[$0] }.joined()) }
  }
}
