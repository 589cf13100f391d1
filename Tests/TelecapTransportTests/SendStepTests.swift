import CSockets
import Testing

@testable import TelecapTransport

@Suite struct SendStepTests {
  @Test(
    "Each error of send leads to its step",
    arguments: [
      (EINTR, SendStep.again), (EAGAIN, .wait), (ENOBUFS, .wait), (ENOMEM, .wait), (ECONNREFUSED, .reported),
      (EHOSTUNREACH, .reported), (ENETUNREACH, .reported), (EMSGSIZE, .skip), (EACCES, .skip), (EBADF, .skip),
    ])
  func eachErrorHasItsStep(_ code: Int32, step: SendStep) {
    #expect(SendStep(code: code, failuresInARow: 0) == step)
  }

  @Test("An error that repeats at once is not one of an earlier datagram", arguments: [EHOSTUNREACH, ENETUNREACH])
  func anErrorThatComesAgainAtOnceIsNoOldAnswer(_ code: Int32) {
    #expect(SendStep(code: code, failuresInARow: 1) == .skip)
  }

  @Test("No error is retried for ever", arguments: [EINTR, EAGAIN, ENOBUFS, ECONNREFUSED])
  func noErrorIsTriedForEver(_ code: Int32) {
    #expect(SendStep(code: code, failuresInARow: SendStep.patience - 1) != .skip)
    #expect(SendStep(code: code, failuresInARow: SendStep.patience) == .skip)
  }
}
