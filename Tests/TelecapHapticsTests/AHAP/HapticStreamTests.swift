import TelecapHaptics
import TelecapRecording
import TelecapWire
import Testing

/// A stream of HAPTIC becomes a pattern, and a pattern a stream.
@Suite struct HapticStreamTests {
  /// A pattern, sent at 20 Hz, and fitted again: no sample is off by more than the tolerance.
  @Test("A round trip keeps the tolerance", arguments: [0.0, 0.01, 0.05, 0.2])
  func aRoundTripKeepsTheTolerance(_ tolerance: Double) throws {
    for pattern in [AHAP(.explosion), AHAP(.manager(.heavy)), AHAP(.manager(.gradual(intensity: 0.6)))] {
      let sent = HapticStream.intensities(of: pattern)
      let samples = sent.enumerated().map { TimedValue(Double($0.offset) / 20, Double($0.element)) }
      let fitted = try #require(HapticStream.fit(samples, tolerance: tolerance))
      let timeline = HapticTimeline(AHAPReading(Array(fitted.pattern.text.utf8)).pattern)
      for sample in samples {
        #expect(abs(timeline.sample(at: sample.time).intensity - sample.value) <= tolerance + 1e-6)
      }
      #expect(fitted.error <= tolerance + 1e-6)
      // The values came from straight lines, so the original is within the tolerance at the messages' times, too.
      let again = HapticStream.intensities(of: fitted.pattern)
      for (first, second) in zip(sent, again) { #expect(abs(Double(first) - Double(second)) <= tolerance + 1e-5) }
    }
  }

  @Test("A ramp needs two points and a ramp up and down three")
  func aRampNeedsTwoPointsAndARampUpAndDownThree() throws {
    let up = (0...20).map { TimedValue(Double($0) / 20, Double($0) / 20) }
    #expect(try #require(HapticStream.fit(up, tolerance: 0.001)).points == 2)
    let both = up + (1...20).map { TimedValue(1 + Double($0) / 20, 1 - Double($0) / 20) }
    #expect(try #require(HapticStream.fit(both, tolerance: 0.001)).points == 3)
  }

  @Test("Curves have sixteen points at most and events thirty seconds")
  func curvesHaveSixteenPointsAtMostAndEventsThirtySeconds() throws {
    let jagged = (0..<1_400).map { TimedValue(Double($0) / 20, $0.isMultiple(of: 2) ? 0.2 : 0.9) }
    let fitted = try #require(HapticStream.fit(jagged, tolerance: 0.01))
    var longest = 0.0
    var most = 0
    for item in fitted.pattern.pattern {
      switch item {
      case .event(let event): longest = max(longest, event.duration ?? 0)
      case .curve(let curve): most = max(most, curve.points.count)
      default: Issue.record("an item that a fit has no use for")
      }
    }
    #expect(longest == 30 && most == 16)
    let reading = AHAPReading(Array(fitted.pattern.text.utf8))
    #expect(!reading.findings.contains { $0.severity > .note })
    #expect(fitted.error <= 0.01 + 1e-9)
  }

  @Test("NaN and values out of range are clamped")
  func valuesThatAreNoneAreHeldToTheirRange() throws {
    let samples = [TimedValue(0, -3), TimedValue(0.05, .nan), TimedValue(0.1, 7), TimedValue(0.1, .infinity)]
    let fitted = try #require(HapticStream.fit(samples, tolerance: 0))
    #expect(HapticTimeline(fitted.pattern).sample(at: 0.1).intensity == 1)
    #expect(HapticTimeline(fitted.pattern).sample(at: 0).intensity == 0)
    #expect(HapticStream.fit([], tolerance: 0) == nil)
  }

  @Test("A stream ends with zero")
  func aStreamEndsWithZero() {
    for pattern in [AHAP(.explosion), AHAP(.manager(.normal)), AHAP([])] {
      #expect(HapticStream.intensities(of: pattern).last == 0)
    }
  }
}
