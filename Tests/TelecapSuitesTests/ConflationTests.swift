import TelecapRecording
import Testing

@testable import TelecapSuites

/// Which values of a burst nobody has to take notice of.
@Suite struct ConflationTests {
  private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  /// These came in one session, of a receiver that has 50 ms.
  private static func came(_ values: (value: Float, ms: Int64)...) -> Conflation<Float> {
    Conflation(values.map { .init(value: $0.value, time: time($0.ms), session: 0, end: nil) }, settle: 50_000_000)
  }

  private static func shown(_ values: (value: Float, ms: Int64)...) -> [(time: Timestamp, value: Float)] {
    values.map { (time($0.ms), $0.value) }
  }

  @Test("Only the newest value within the settle time is required, and none before its delivery")
  func burst() {
    let came = Self.came((0.5, 1_000), (0.75, 1_020), (1, 1_200))
    #expect(came.allows(Self.shown((0.75, 1_030), (1, 1_210)), for: [0.5, 0.75, 1], from: 0))
    #expect(!came.allows(Self.shown((0.5, 1_010), (1, 1_210)), for: [0.5, 0.75, 1], from: 0))
    #expect(!came.allows(Self.shown((0.75, 1_010), (1, 1_210)), for: [0.5, 0.75, 1], from: 0))
  }

  @Test("A value restored by silence is not one that was sent, even if the same is sent later")
  func silence() {
    let came = Self.came((0.5, 1_000), (0.75, 5_000), (0.625, 5_020), (0, 5_040))
    #expect(came.allows(Self.shown((0.5, 1_010), (0, 4_000)), for: [0.5, 0, 0.75, 0.625, 0], from: 0))
    #expect(
      came.allows(
        Self.shown((0.5, 1_010), (0, 4_000), (0.625, 5_030), (0, 5_050)), for: [0.5, 0, 0.75, 0.625, 0], from: 0))
    #expect(!came.allows(Self.shown((0.5, 1_010)), for: [0.5, 0, 0.75, 0.625, 0], from: 0))
  }
}
