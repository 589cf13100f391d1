import TelecapTransport

extension PageServer {
  /// Serves while `body` runs, which begins once the pages can be asked for; at its end they show the last of it.
  ///
  /// - Throws: `PageServerError`; what `body` throws.
  public func run<Value: Sendable>(
    ready: @escaping @Sendable (String) async -> Void, during body: () async throws -> Value
  ) async throws -> Value {
    let (stop, isSettled, hasFailed) = (StopFlag(), StopFlag(), StopFlag())
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await run(stop: stop) { address in
            await ready(address)
            isSettled.raise()
          }
        } catch {
          hasFailed.raise()
          isSettled.raise()
          throw error
        }
      }
      try await isSettled.waitUntilRaised()
      if hasFailed.isRaised { try await group.waitForAll() }
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      stop.raise()
      try await group.waitForAll()
      return try result.get()
    }
  }
}
