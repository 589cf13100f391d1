import Foundation
import TelecapPlatform
import Testing

/// Suites that test programs on the wall clock. They run after all others, five tests at a time (Scripts/test): next
/// to hundreds of tests on two cores a correct program answers later than the rules allow.
@Suite(.atATime(5), .real("sockets and programs, on the wall clock")) public enum WallClockSuites {}

/// Suites that test programs next to busy processes. They run after all others, one test at a time (Scripts/test): next
/// to them any other test would miss its times.
@Suite(.atATime(1), .real("programs next to busy processes, on the wall clock")) public enum BusyClockSuites {}

/// Lets no more than a number of test cases of a suite run at once, each on threads of its own: a test that waits for a program
/// holds its thread, and Swift's pool has one for each core.
public struct ConcurrencyLimit: TestTrait, SuiteTrait, TestScoping {
  fileprivate let gate: Gate

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await gate.enter()
    defer { gate.leave() }
    guard #available(macOS 15, iOS 18, *) else { return try await function() }
    try await withTaskExecutorPreference(OwnThreads()) { try await function() }
  }

  /// Runs each job of a task on a thread of its own.
  @available(macOS 15, iOS 18, *)
  private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      Thread.detachNewThread { job.runSynchronously(on: executor) }
    }
  }

  /// A counting semaphore for tasks: a waiting task blocks no thread.
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
  fileprivate static func atATime(_ count: Int) -> ConcurrencyLimit { ConcurrencyLimit(gate: .init(count)) }
}
