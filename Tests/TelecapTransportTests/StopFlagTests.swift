import TelecapTransport
import Testing

@Suite struct StopFlagTests {
  @Test func aFlagStaysRaised() async throws {
    let flag = StopFlag()
    #expect(!flag.isRaised)
    flag.raise()
    flag.raise()
    #expect(flag.isRaised)
    try await flag.waitUntilRaised()
  }

  @Test func whoWaitsIsWokenByARaise() async throws {
    let flag = StopFlag()
    async let waiting: Void = flag.waitUntilRaised()
    flag.raise()
    try await waiting
  }

  @Test func aCancelledWaitThrows() async {
    let flag = StopFlag()
    let waiting = Task { try await flag.waitUntilRaised() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  #if os(macOS) || os(Linux)
    @Test(.timeLimit(.minutes(10)))
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
  #endif
}

struct Unexpected: Error {}
