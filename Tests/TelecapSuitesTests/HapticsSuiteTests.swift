import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import Testing

@testable import TelecapSuites

/// The devices of the suite, and the expectations on what they tell.
@Suite struct HapticsSuiteTests {
  private func judged(_ body: String, part: String = "haptics") async throws -> CaseResult {
    let path = "haptics/pattern/normal.yaml"
    let scenario = try Scenario(
      "# A device.\nrequirement: haptics.pattern.normal\nrole: \(part)\n\(body)\n", path: path, file: path, suites: .all
    )
    return try await SuiteRunner(EveryModel(.all)).run(Case(), of: scenario)
  }

  static let steps = "steps: [{at: 0s, ask: {prepare: true}}, {at: 1s, ask: {play: {pattern: normal}}}]\n"

  @Test(arguments: [
    "tells: [0s started, 1s loaded normal, 1s playing normal]", "includes: [started, playing normal]",
    "never: [silent, impact]",
  ])
  func whatADeviceTellsIsHeld(_ expectation: String) async throws {
    let result = try await judged(HapticsSuiteTests.steps + "expect: {\(expectation)}")
    #expect(result.verdict == .pass, "\(result.breaches)")
  }

  @Test(arguments: [
    ("tells: [0s started]", "nothing more after line 1", "“1s loaded normal”"),
    ("tells: [0s started, 1s loaded normal, 2s playing normal]", "“2s playing normal”", "“1s playing normal”"),
    (
      "tells: [0s started, 1s loaded normal, 1s playing normal, 1s more]", "“1s more”",
      "nothing more after line 3"
    ),
    (
      "includes: [playing normal, started]", "“started”", "[started, loaded normal, playing normal]"
    ),
    ("never: [play]", "no such thing", "“playing normal”"),
  ])
  func whatItDoesNotTellFails(_ expectation: String, _ expected: String, _ observed: String) async throws {
    let result = try await judged(HapticsSuiteTests.steps + "expect: {\(expectation)}")
    #expect(result.verdict == .fail)
    #expect(result.breaches.map(\.expected) == [expected])
    #expect(result.breaches.map(\.observed) == [observed])
  }

  /// The evaluation that faults are made of is the right one while none of its lines is wrong.
  @Test func thePlainEvaluationIsTheSameAsTheTimeline() {
    let explosion = AHAP(.explosion)
    let timeline = HapticTimeline(explosion)
    for step in 0..<60 {
      let time = 0.1 + Double(step) / 100
      let plain = PlainEvaluation().sample(of: explosion, at: time)
      let right = timeline.sample(at: time)
      #expect(abs(plain.intensity - right.intensity) < 1e-9, "at \(time)")
      // Where nothing is felt, sharpness is nothing either.
      if right.intensity > 0 { #expect(abs(plain.sharpness - right.sharpness) < 1e-9, "at \(time)") }
    }
  }

  @Test func aProgramCannotBeADevice() {
    #expect(Suites.all.parts.filter { $0.role == nil } == [.ahap, .haptics, .touch])
    for role in Role.allCases { #expect(Part(role).role == role) }
  }
}
