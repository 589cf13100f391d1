import Testing

/// A condition that did not become true in time.
public struct NeverTrue: Error, CustomStringConvertible {
  public let description: String
}

/// Returns when `condition` is true. The condition is about another thread or program, which wakes no test, so this asks every
/// 2 ms; it sleeps between, since a spinning test takes a core from those that it waits for.
///
/// - Throws: what `condition` throws; `NeverTrue` after two minutes.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(120)
  while !(try await condition()) {
    guard ContinuousClock.now < deadline else {
      throw NeverTrue(description: "not true within two minutes: the condition at \(sourceLocation)")
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}
