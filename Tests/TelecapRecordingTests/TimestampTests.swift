import TelecapRecording
import Testing

@Suite struct TimestampTests {
  @Test(
    "Seconds are rounded to the nearest nanosecond, halves away from zero",
    arguments: [
      (0, 0), (1, 1_000_000_000), (-1, -1_000_000_000), (0.1, 100_000_000), (1e-9, 1), (1.4e-9, 1), (1.5e-9, 2),
      (2.5e-9, 3), (-1.4e-9, -1), (-1.5e-9, -2), (0.49e-9, 0), (-0.49e-9, 0),
      (1_700_000_000.25, 1_700_000_000_250_000_000),
    ] as [(Double, Int64)])
  func rounding(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(Timestamp(seconds: seconds).nanoseconds == nanoseconds)
  }

  @Test(
    "A number outside Int64 is clamped, NaN becomes 0, and nothing traps",
    arguments: [
      (.nan, 0), (.infinity, .max), (-.infinity, .min), (0x1p63, .max), (-0x1p63, .min), ((-0x1p63).nextDown, .min),
      (Double(0x1p63).nextDown, 9_223_372_036_854_774_784), (1e300, .max), (-1e300, .min), (-0.0, 0),
      (4_503_599_627_370_495.5, 4_503_599_627_370_496), (9_007_199_254_740_994, 9_007_199_254_740_994),
    ] as [(Double, Int64)])
  func clamping(_ value: Double, _ expected: Int64) {
    #expect(Int64(clampingRounded: value) == expected)
  }

  @Test(
    "Differences and sums saturate",
    arguments: [
      (5, 3, 2), (3, 5, -2), (.max, -1, .max), (.min, 1, .min), (.max, .min, .max), (.min, .max, .min), (.min, .min, 0),
      (-1, .max, .min), (0, .min, .max), (-2, .max, .min),
    ] as [(Int64, Int64, Int64)])
  func differences(_ later: Int64, _ earlier: Int64, _ difference: Int64) {
    #expect(Timestamp(nanoseconds: later).nanoseconds(since: Timestamp(nanoseconds: earlier)) == difference)
  }

  @Test(
    "Advancing saturates",
    arguments: [
      (5, 3, 8), (5, -8, -3), (.max, 1, .max), (.min, -1, .min), (.max, .max, .max), (.min, .min, .min),
      (.min, .max, -1),
    ] as [(Int64, Int64, Int64)])
  func advancing(_ start: Int64, _ amount: Int64, _ end: Int64) {
    #expect(Timestamp(nanoseconds: start).advanced(byNanoseconds: amount).nanoseconds == end)
  }

  @Test("Timestamps are ordered, and convert to seconds")
  func order() {
    #expect(Timestamp(nanoseconds: -1) < .zero)
    #expect(Timestamp.zero < Timestamp(nanoseconds: 1))
    #expect(Timestamp(nanoseconds: 1_500_000_000).seconds == 1.5)
    #expect(Timestamp.zero.nanoseconds == 0)
  }
}
