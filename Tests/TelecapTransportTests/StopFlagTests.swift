import TelecapTestSupport
import TelecapTransport
import Testing

@Suite(.real("the wall clock")) struct StopFlagTests {
  @Test("A flag stays raised")
  func aFlagStaysRaised() async throws {
    let flag = StopFlag()
    #expect(!flag.isRaised)
    flag.raise()
    flag.raise()
    #expect(flag.isRaised)
    try await flag.waitUntilRaised()
  }

  @Test("Raising the flag wakes a waiting task")
  func whoWaitsIsWokenByARaise() async throws {
    let flag = StopFlag()
    async let waiting: Void = flag.waitUntilRaised()
    flag.raise()
    try await waiting
  }

  @Test("A cancelled wait throws")
  func aCancelledWaitThrows() async {
    let flag = StopFlag()
    let waiting = Task { try await flag.waitUntilRaised() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  #if os(macOS) || os(Linux)
    @Test("The first signal raises the flag and the second ends the process", .timeLimit(.minutes(10)))
    func theFirstSignalRaisesTheFlagAndTheSecondEndsTheProcess() async {
      await #expect(processExitsWith: .signal(15)) {
        guard !StopFlag.signals.isRaised else { return }
        sendSelf(signal: 15)
        try await StopFlag.signals.waitUntilRaised()
        sendSelf(signal: 15)
        try await Task.sleep(for: .seconds(30))
      }
      await #expect(processExitsWith: .success) {
        guard !StopFlag.signals.isRaised else { throw Unexpected() }
        sendSelf(signal: 2)
        try await StopFlag.signals.waitUntilRaised()
      }
    }

    @Test("A second signal is counted while it is held, also by nested holds", .timeLimit(.minutes(10)))
    func heldSignalsAreCounted() async {
      await #expect(processExitsWith: .signal(15)) {
        try await StopFlag.holdingSecond {
          for count in 1...2 {
            sendSelf(signal: 15)
            while StopFlag.signalCount < count { try await Task.sleep(for: .milliseconds(5)) }
            await StopFlag.holdingSecond { await Task.yield() }
          }
          guard StopFlag.signals.isRaised, StopFlag.signalCount == 2 else { throw Unexpected() }
        }
        sendSelf(signal: 15)
        try await Task.sleep(for: .seconds(30))
      }
    }
  #endif
}

struct Unexpected: Error {}
