import TelecapPlatform
import Testing

/// Suites that judge programs on the wall clock. They run after all others, three tests at a time (Scripts/test): next to
/// hundreds of tests on two cores a right program answers later than the rules allow.
@Suite(.threeAtATime, .real("sockets and programs, on the wall clock")) public enum WallClockSuites {}

/// Lets no more than a number of test cases run at once, in all suites of the trait.
public struct ConcurrencyLimit: TestTrait, SuiteTrait, TestScoping {
  fileprivate static let three = ConcurrencyLimit(gate: Gate(3))

  fileprivate let gate: Gate

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await gate.enter()
    defer { gate.leave() }
    try await function()
  }

  /// A counting semaphore for tasks: whoever waits holds no thread.
  fileprivate final class Gate: Sendable {
    private let state: Locked<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Locked((count, [])) }

    func enter() async {
      await withCheckedContinuation { continuation in
        let enters = state.with { state in
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if enters { continuation.resume() }
      }
    }

    func leave() {
      let next = state.with { state -> CheckedContinuation<Void, Never>? in
        if state.waiting.isEmpty { state.free += 1 }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      next?.resume()
    }
  }
}

extension Trait where Self == ConcurrencyLimit {
  fileprivate static var threeAtATime: ConcurrencyLimit { .three }
}
