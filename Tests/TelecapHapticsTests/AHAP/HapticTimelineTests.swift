import TelecapHaptics
import Testing

/// The arithmetic of a pattern, with numbers worked out by hand (haptics.md, AHAP).
@Suite struct HapticTimelineTests {
  typealias Event = AHAP.Event

  private func continuous(
    _ settings: [(AHAP.EventParameter, Double)], from time: Double = 0, lasting duration: Double = 1
  ) -> AHAP.Item {
    .event(Event(.hapticContinuous, at: time, lasting: duration, settings.map { AHAP.Setting($0.0, $0.1) }))
  }

  private func intensity(_ items: [AHAP.Item], _ time: Double) -> Double {
    (HapticTimeline(AHAP(items)).sample(at: time).intensity * 1e9).rounded() / 1e9
  }

  @Test(
    "The explosion pattern has these intensities and sharpnesses",
    arguments: [
      // The crack; the rumble at full strength, half way to its first bend, at it, half way to the end, and the end.
      (0.0, 1.0, 1.0), (0.02, 1, 1), (0.07, 0.7, 0.7), (0.12, 0.4, 0.4), (0.32, 0.2, 0.2), (0.52, 0, 0), (0.7, 0, 0),
    ])
  func theExplosionOfTheSeed(_ time: Double, _ intensity: Double, _ sharpness: Double) {
    let felt = HapticTimeline(AHAP(.explosion)).sample(at: time)
    #expect(abs(felt.intensity - intensity) < 1e-9)
    if intensity > 0 { #expect(abs(felt.sharpness - sharpness) < 1e-9) }
  }

  @Test(
    "A sustained event rises, stays and is released",
    arguments: [(0.0, 0.0), (0.05, 0.4), (0.1, 0.8), (0.5, 0.8), (0.999_999, 0.8), (1.1, 0.4), (1.2, 0)])
  func aSustainedEventRisesStaysAndIsReleased(_ time: Double, _ expected: Double) {
    let item = continuous([(.hapticIntensity, 0.8), (.attackTime, 0.1), (.releaseTime, 0.2)])
    #expect(intensity([item], time) == expected)
  }

  @Test("An event that is not sustained decays", arguments: [(0.0, 1.0), (0.25, 0.5), (0.5, 0), (0.9, 0)])
  func anEventThatIsNotSustainedDecays(_ time: Double, _ expected: Double) {
    #expect(intensity([continuous([(.sustained, 0), (.decayTime, 0.5)])], time) == expected)
  }

  @Test("A dynamic parameter applies from its time, and curves replace it")
  func aDynamicParameterHoldsFromItsTimeAndCurvesReplaceIt() {
    let items: [AHAP.Item] = [
      continuous([(.hapticIntensity, 0.5)], lasting: 4),
      .parameter(AHAP.Parameter(at: 1, AHAP.Setting(AHAP.DynamicParameter.hapticIntensity, 0.5))),
      .curve(AHAP.Curve(.hapticIntensity, at: 2, [AHAP.Point(0, 0), AHAP.Point(1, 1)])),
    ]
    #expect([0.5, 1.5, 2, 2.5, 3, 3.5].map { intensity(items, $0) } == [0.5, 0.25, 0, 0.25, 0.5, 0.5])
  }

  @Test("Sharpness adds, intensity multiplies, and both are clamped")
  func sharpnessAddsAndIntensityMultipliesAndBothAreHeld() {
    let items: [AHAP.Item] = [
      continuous([(.hapticIntensity, 0.5), (.hapticSharpness, 0.75)]),
      .curve(AHAP.Curve(.hapticSharpness, at: 0, [AHAP.Point(0, -1), AHAP.Point(1, 1)])),
      .curve(AHAP.Curve(.hapticIntensity, at: 0, [AHAP.Point(0, 2), AHAP.Point(1, 2)])),
    ]
    let timeline = HapticTimeline(AHAP(items))
    #expect([0, 0.25, 0.5, 0.75].map { timeline.sample(at: $0).sharpness } == [0, 0.25, 0.75, 1])
    #expect(timeline.sample(at: 0.5).intensity == 0.5)
  }

  @Test("The strongest of events that overlap is felt")
  func theStrongestOfEventsThatOverlapIsFelt() {
    let items = [
      continuous([(.hapticIntensity, 0.25), (.hapticSharpness, 0)], lasting: 2),
      continuous([(.hapticIntensity, 0.75), (.hapticSharpness, 1)], from: 0.5, lasting: 0.5),
    ]
    #expect([0.25, 0.75, 1.5].map { intensity(items, $0) } == [0.25, 0.75, 0.25])
  }

  @Test("A continuous event lasts thirty seconds at most")
  func aContinuousEventLastsThirtySecondsAtMost() {
    #expect(HapticTimeline(AHAP([continuous([], lasting: 100)])).duration == 30)
  }

  @Test("No transient falls between two samples", arguments: [20.0, 100, 1_000, 44_100])
  func noTransientFallsBetweenTwoSamples(_ rate: Double) {
    let items = (0..<10).map { AHAP.Item.event(.transient(at: 0.013 + Double($0) / 7, intensity: 1, sharpness: 1)) }
    let samples = HapticTimeline(AHAP(items)).samples(rate: rate)
    var taps = 0
    for (before, now) in zip([HapticSample.silence] + samples, samples) where now.intensity > before.intensity {
      taps += 1
    }
    #expect(taps == 10)
    #expect(samples.last == .silence)
  }

  @Test("Samples equal the timeline at their times")
  func samplesAreWhatTheTimelineSaysAtTheirTimes() {
    let pattern = AHAP([continuous([(.attackTime, 0.3), (.releaseTime, 0.4)])])
    let timeline = HapticTimeline(pattern)
    for (index, sample) in timeline.samples(rate: 100).enumerated() {
      #expect(abs(sample.intensity - timeline.sample(at: Double(index) / 100).intensity) < 1e-12)
    }
  }
}
