import Foundation
import TelecapTransport
import Testing

/// Work that blocks, on threads of its own.
@Suite("A worker") struct WorkerTests {
  struct Broken: Error {}

  @Test("A worker returns the result or the error of its work")
  func results() async throws {
    #expect(try await Worker.run { 7 } == 7)
    await #expect(throws: Broken.self) { try await Worker.run { throw Broken() } }
  }

  @Test("A worker in a cancelled task takes no thread of the shared pool", .timeLimit(.minutes(10)))
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
