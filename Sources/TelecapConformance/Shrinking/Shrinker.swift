/// Reduces the faults that make a run fail to the fewest that still do: delta debugging (A. Zeller and R. Hildebrandt,
/// Simplifying and Isolating Failure-Inducing Input, 2002, the algorithm ddmin).
///
/// Pure: it decides which faults to try, and the caller's closure runs them.
public struct Shrinker: Sendable {
  /// How many runs it may take; then it returns the fewest found so far.
  public var limit: Int

  /// A shrinker that takes at most so many runs.
  public init(limit: Int = 2_000) { self.limit = max(1, limit) }

  /// The fewest faults that still fail; nil when even all of them together did not fail again.
  ///
  /// - Parameter stillFails: runs these faults alone and says whether the run fails.
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

/// The fewest faults that a shrinker found.
public struct Shrunk<Fault: Sendable>: Sendable {
  /// These, in their order. Empty: the run fails without any fault.
  public var faults: [Fault]
  /// How many runs it took.
  public var runs: Int
  /// Without any single one of them the run passes; false when the runs that were allowed came to their end before.
  public var isMinimal: Bool

  /// A result of these values.
  public init(faults: [Fault], runs: Int, isMinimal: Bool) {
    self.faults = faults
    self.runs = runs
    self.isMinimal = isMinimal
  }
}

extension Shrunk: Equatable where Fault: Equatable {}

/// What a search has found so far.
private struct Search<Fault: Sendable> {
  var kept: [Fault]
  var limit: Int
  var runs = 0
  /// A run was wanted and not allowed.
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

  /// Goes on with these when they still fail.
  mutating func keep(_ faults: [Fault], _ stillFails: ([Fault]) async throws -> Bool) async rethrows -> Bool {
    guard try await fails(faults, stillFails) else { return false }
    kept = faults
    return true
  }

  /// Goes on with the first of these that still fails.
  mutating func keepOne(of lists: [[Fault]], _ stillFails: ([Fault]) async throws -> Bool) async rethrows -> Bool {
    for faults in lists {
      if try await keep(faults, stillFails) { return true }
      if isSpent { return false }
    }
    return false
  }

  /// The list in so many pieces of about the same length, none of them empty; `parts` is at most the list's length.
  static func split(_ list: [Fault], into parts: Int) -> [[Fault]] {
    (0..<parts).map { Array(list[(list.count * $0 / parts)..<(list.count * ($0 + 1) / parts)]) }
  }

  /// For each piece, all the others.
  static func complements(_ pieces: [[Fault]]) -> [[Fault]] {
    pieces.indices.map { left in Array(pieces.indices.filter { $0 != left }.map { pieces[$0] }.joined()) }
  }
}
