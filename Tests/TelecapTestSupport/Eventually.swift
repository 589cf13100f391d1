import Testing

/// A condition that did not become true in time.
public struct NeverTrue: Error, CustomStringConvertible {
  public let description: String
}

/// Returns when `condition` is true. The condition is about another thread or program, which wakes no test, so this asks every
/// 2 ms; it sleeps between, since a spinning test takes a core from those that it waits for.
///
/// It gives up after two minutes, but not before 100 checks: while other tests compute on each thread of Swift's pool, one check may
/// come minutes after another.
///
/// - Throws: what `condition` throws; `NeverTrue` where it gave up.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(120)
  var checks = 1
  while !(try await condition()) {
    guard ContinuousClock.now < deadline || checks < 100 else {
      throw NeverTrue(description: "not true within two minutes: the condition at \(sourceLocation)")
    }
    try await Task.sleep(for: .milliseconds(2))
    checks += 1
  }
}
