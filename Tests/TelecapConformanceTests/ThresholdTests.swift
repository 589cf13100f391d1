import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapSuites
import Testing

/// A measure has a verdict only if a scenario sets a threshold on it.
@Suite struct ThresholdTests {
  private func judged(_ threshold: String, _ network: String = "--delay 50ms") async throws -> CaseResult {
    let path = "tele/pose/latest-value-wins.yaml"
    let scenario = try Scenario(
      """
      # Poses.
      requirement: tele.pose.latest-value-wins
      role: host
      steps:
        - {at: 0s, send: HELLO, answer: OK}
        - {at: 100ms, send: POSE, count: 120, rate: 60}
      expect: {at-most: {\(threshold)}}
      """, path: path, file: path, suites: .all)
    return try await SuiteRunner(ModelSystem(.host)).run(
      Case(impairments: try Impairments(parsing: network), seed: 1), of: scenario)
  }

  @Test(
    "A measure below its threshold passes",
    arguments: [
      "age-mean: 70ms", "age-p99: 80ms", "age-peak: 80ms", "stale: 1", "pose-error: 10", "pose-angle: 1",
    ])
  func whatStaysBelowIsHeld(_ threshold: String) async throws {
    let result = try await judged(threshold)
    #expect(result.verdict == .pass, "\(result.breaches)")
  }

  @Test(
    "A measure above its threshold fails, and the failure names the threshold",
    arguments: [
      ("age-mean: 40ms", "age-mean of at most 40 ms"), ("age-p99: 40ms", "age-p99 of at most 40 ms"),
      ("age-peak: 0.5ms", "age-peak of at most 0.5 ms"), ("stale: 0.1", "stale of at most 0.1 of the time"),
      ("pose-error: 1.25", "pose-error of at most 1.25 mm"),
    ])
  func whatGoesBeyondFailsWithBothNumbers(_ threshold: String, _ expected: String) async throws {
    let result = try await judged(threshold)
    #expect(result.verdict == .fail)
    #expect(result.breaches.map(\.expected) == [expected])
  }

  @Test("A measure that cannot be taken is inconclusive")
  func whatCannotBeMeasuredIsInconclusive() async throws {
    let result = try await judged("pointer-error: 0")
    #expect(result.verdict == .inconclusive)
    #expect(result.reason == "pointer-error could not be measured")
  }

  @Test("A negative threshold is an error")
  func aThresholdBelowNothingIsAnError() async throws {
    await #expect(throws: YAMLFileError.self) { try await judged("pose-error: -1") }
  }
}
