import Foundation
import TelecapTransport
import Testing

/// Work that blocks, on threads of its own.
@Suite("A worker") struct WorkerTests {
  struct Broken: Error {}

  @Test("Comes back with what its work returned or threw")
  func results() async throws {
    #expect(try await Worker.run { 7 } == 7)
    await #expect(throws: Broken.self) { try await Worker.run { throw Broken() } }
  }

  @Test("Waits in a cancelled task without taking a thread that tasks share", .timeLimit(.minutes(1)))
  func cancelled() async throws {
    let gate = DispatchSemaphore(value: 0)
    // More than the system has cores: were each to take a thread, nothing else would run.
    let waiting = (0..<64).map { number in
      Task {
        try await Worker.run {
          gate.wait()
          return number
        }
      }
    }
    for task in waiting { task.cancel() }
    // Runs on a shared thread, after all of them.
    await Task { for _ in waiting { gate.signal() } }.value
    for (number, task) in waiting.enumerated() { #expect(try await task.value == number) }
  }
}
