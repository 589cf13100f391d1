import TelecapHaptics
import Testing

private typealias Event = ManagerPattern.Event

@Suite struct ManagerPatternTests {
  let ms: Int64 = 1_000_000

  @Test("Normal is one tap")
  func normalIsOneTap() {
    #expect(ManagerPattern.normal.events == [Event(time: 0, duration: nil, intensity: 0.4, sharpness: 0.2)])
    #expect(ManagerPattern.normal.duration == 0)
  }

  @Test("Multi is a rumble up to a frequency of two", arguments: [-1, 0, 1, 2.0])
  func multiIsARumbleUpToAFrequencyOfTwo(_ frequency: Double) {
    let events = ManagerPattern.multi(frequency: frequency, amplitude: 0.5).events
    #expect(events == [Event(time: 0, duration: 200 * ms, intensity: 0.5 * 0.7, sharpness: 0.3)])
  }

  @Test("Multi is a tap above a frequency of two", arguments: [Double(2).nextUp, 3, .infinity, .nan])
  func multiIsATapAboveAFrequencyOfTwo(_ frequency: Double) {
    let events = ManagerPattern.multi(frequency: frequency, amplitude: 0.5).events
    #expect(events == [Event(time: 0, duration: nil, intensity: 0.5 * 0.6, sharpness: 0.5)])
  }

  @Test("An amplitude is clamped to its range", arguments: [(-3.0, Float(0)), (.nan, 0), (7, 0.7), (.infinity, 0.7)])
  func anAmplitudeIsHeldToItsRange(_ amplitude: Double, _ intensity: Float) {
    #expect(ManagerPattern.multi(frequency: 1, amplitude: amplitude).events.map(\.intensity) == [intensity])
  }

  @Test("Gradual is a bell over two seconds", arguments: [Float(0.6), 1, 0.25])
  func gradualIsABellOverTwoSeconds(_ intensity: Float) {
    let pattern = ManagerPattern.gradual(intensity: intensity)
    let events = pattern.events
    #expect(events.map(\.time) == (0..<20).map { $0 * 100 * ms })
    #expect(events.allSatisfy { $0.duration == 100 * ms })
    #expect(pattern.duration == 2_000 * ms)
    #expect(abs(events[9].intensity - intensity * 0.9975) < 1e-6)
    #expect(abs(events[0].intensity - intensity * 0.0975) < 1e-6)
    #expect(abs(events[5].intensity - intensity * 0.7975) < 1e-6)
    for step in 0..<10 { #expect(events[step].intensity == events[19 - step].intensity) }
    for step in 1..<10 {
      #expect(events[step].intensity > events[step - 1].intensity)
    }
  }

  @Test("Gradual peaks at six tenths by default")
  func gradualPeaksAtSixTenthsUnlessToldOtherwise() { #expect(ManagerPattern.gradualIntensity == 0.6) }

  @Test("Heavy falls in five steps")
  func heavyFallsInFiveSteps() {
    let events = ManagerPattern.heavy.events
    #expect(events.map(\.time) == [0, 200, 400, 600, 800].map { $0 * ms })
    #expect(events.map(\.intensity) == [1, 0.8, 0.6, 0.4, 0.2])
    #expect(events.allSatisfy { $0.duration == 200 * ms && $0.sharpness == 0.3 })
    #expect(ManagerPattern.heavy.duration == 1_000 * ms)
  }
}
