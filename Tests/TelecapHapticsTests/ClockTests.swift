import TelecapHaptics
import TelecapRecording
import Testing

@Suite struct ClockTests {
  let ms: Int64 = 1_000_000

  @Test("A screen shows events at its refreshes")
  func aScreenShowsThingsAtItsRefreshes() {
    let screen = OutputClock.display(hertz: 60)
    #expect(screen.period == 16_666_666)
    #expect(OutputClock.display(hertz: 120).period == 8_333_333)
    let moment = OutputClock.Moment(nextTick: 3 * ms)
    #expect(screen.naive(moment) == 3 * ms)
    #expect(screen.naive(armed: 3 * ms, moment) == 3 * ms)
    #expect(screen.naive(armed: 3 * ms + 1, moment) == 3 * ms + screen.period)
    #expect(screen.scheduled(for: 50 * ms, moment) == 3 * ms + 3 * screen.period)
  }

  @Test("Audio begins with a buffer unless it has a start time")
  func audioBeginsWithABufferUnlessItIsToldWhen() {
    let audio = OutputClock.audio(frames: 480, latency: 30 * ms)
    #expect(audio.period == 10 * ms)
    let moment = OutputClock.Moment(nextTick: 4 * ms, deviation: 2 * ms)
    #expect(audio.naive(moment) == 36 * ms)
    #expect(audio.scheduled(for: 50 * ms, moment) == 52 * ms)
    // 30 ms ahead of 33 is armed for 3 ms from now, before the next buffer: it begins with that.
    #expect(audio.scheduled(for: 33 * ms, moment) == 36 * ms)
    #expect(audio.scheduled(for: 50 * ms, armed: 25 * ms, moment) == 66 * ms)
  }

  @Test("Haptics begin at any time")
  func hapticsBeginWheneverTheyAreAsked() {
    let haptic = OutputClock.haptic(latency: 10 * ms)
    #expect(haptic.naive(OutputClock.Moment(deviation: -5 * ms)) == 5 * ms)
    #expect(haptic.scheduled(for: 50 * ms, OutputClock.Moment()) == 50 * ms)
    #expect(haptic.scheduled(for: 4 * ms, OutputClock.Moment()) == 10 * ms)
  }

  @Test("A fast clock begins early, by its drift since it was set")
  func aFastClockBeginsEarlyByItsDriftSinceItWasSet() {
    let haptic = OutputClock.haptic(latency: 10 * ms, driftPPM: 50)
    let moment = OutputClock.Moment(sinceSet: 60_000 * ms)
    #expect(haptic.scheduled(for: 50 * ms, moment) == 47 * ms)
    #expect(OutputClock.haptic(latency: 10 * ms, driftPPM: -50).scheduled(for: 50 * ms, moment) == 53 * ms)
    #expect(haptic.naive(moment) == 10 * ms)
  }

  /// A device whose latencies are known exactly, whose clocks tick at once: skew is arithmetic.
  @Test("The skew of starting now is the difference of the latencies")
  func theSkewOfStartingNowIsTheDifferenceOfTheLatencies() {
    let device = SyncDevice(
      display: OutputClock(period: 0, latency: 0, isTimed: true),
      audio: .audio(frames: 0, latency: 90 * ms, jitter: 0), haptic: .haptic(latency: 10 * ms, jitter: 0))
    let study = SyncStudy(device, trials: 10, seed: 1)
    #expect(study.run(.naive).skews == Array(repeating: 90 * ms, count: 10))
    #expect(study.run(.future(delta: 90 * ms)).skews == Array(repeating: 0, count: 10))
    #expect(study.run(.future(delta: 60 * ms)).skews == Array(repeating: 30 * ms, count: 10))
    #expect(study.smallestDelta() == 40 * ms)
    #expect(!study.holds(.naive) && study.holds(.future(delta: 40 * ms)) && !study.holds(.future(delta: 39 * ms)))
  }

  @Test(
    "Fifty milliseconds ahead keep display, audio and haptics within three frames", arguments: [60, 120] as [Int64],
    1...5 as ClosedRange<UInt64>)
  func fiftyMillisecondsAheadKeepTheThreeWithinThreeFrames(_ hertz: Int64, _ seed: UInt64) {
    for latency in stride(from: 20 * ms, through: 40 * ms, by: 5 * Int(ms)) {
      for haptic in [5, 10, 15] {
        let device = SyncDevice(
          display: .display(hertz: hertz), audio: .audio(latency: latency, jitter: 5 * ms),
          haptic: .haptic(latency: Int64(haptic) * ms, jitter: 3 * ms))
        #expect(SyncStudy(device, trials: 300, seed: seed).holds(.future(delta: 50 * ms)))
      }
    }
  }

  @Test("The smallest delta that is found suffices, and no smaller one does")
  func aDeltaThatIsFoundHoldsAndNoSmallerOneDoes() throws {
    let device = SyncDevice(audio: .audio(frames: 1_024, latency: 120 * ms, jitter: 10 * ms))
    let study = SyncStudy(device, trials: 500, seed: 3)
    let delta = try #require(study.smallestDelta())
    #expect(delta > 0 && delta < 120 * ms)
    #expect(study.run(.future(delta: delta)).count(over: SyncStudy.limit) == 0)
    #expect(study.run(.future(delta: delta - ms)).count(over: SyncStudy.limit) > 0)
    #expect(study.run(.naive).count(over: SyncStudy.limit) == 500)
  }

  @Test("Jitter above the limit leaves no delta")
  func jitterOfMoreThanTheLimitLeavesNoDelta() {
    let device = SyncDevice(audio: .audio(latency: 200 * ms, jitter: 150 * ms))
    #expect(SyncStudy(device, trials: 200, seed: 1).smallestDelta() == nil)
  }

  @Test("The same seed gives the same trials, and another seed does not")
  func theSameSeedGivesTheSameTrialsAndAnotherDoesNot() {
    let skews = [7, 7, 8].map { SyncStudy(SyncDevice(), trials: 100, seed: $0).run(.naive).skews }
    #expect(skews[0] == skews[1] && skews[0] != skews[2])
  }

  @Test("Quantiles and bars count every trial")
  func quantilesAndBarsCountEveryTrial() {
    let result = SyncStudy(SyncDevice(), trials: 1_000, seed: 4).run(.naive)
    #expect(result.quantile(0) == result.skews[0] && result.quantile(1) == result.skews[999])
    #expect(result.quantile(0.5) == result.skews[499] && result.quantile(0.99) == result.skews[989])
    let bars = result.histogram(bars: 20)
    #expect(bars.counts.reduce(0, +) == 1_000 && bars.counts.count <= 20)
    #expect(bars.width.isMultiple(of: ms) && bars.counts.last != 0)
    #expect(Int64(bars.counts.count) * bars.width > result.skews[999])
  }

  @Test("Extreme latencies do not trap")
  func latenciesThatNoDeviceHasDoNotTrap() {
    for value in [Int64.min, -1, .max] {
      let clock = OutputClock(period: value, latency: value, jitter: value, driftPPM: value, isTimed: true)
      let device = SyncDevice(display: clock, audio: clock, haptic: clock, arming: value, setEvery: value)
      let study = SyncStudy(device, trials: 20, seed: 1)
      #expect(study.run(.naive).skews.count == 20 && study.run(.future(delta: 50 * ms)).skews.count == 20)
    }
  }

  @Test("Events are delivered once and in order, for any ticks and drains")
  func eventsAreDeliveredOnceAndInOrderHoweverTicksAndDrainsFall() {
    for seed in 0..<100 {
      let draws = KeyedDraws(seed: UInt64(seed))
      var queue = EventQueue<Int>()
      var delivered: [Int] = []
      var times: [(time: Timestamp, id: Int)] = []
      for step in 0..<300 {
        switch draws.number(below: 4, item: step, draw: 0) {
        case 0: delivered += queue.drain()
        case 1: queue.tick(byNanoseconds: draws.number(below: 30, item: step, draw: 1))
        default:
          let time = queue.now.advanced(byNanoseconds: 1 + draws.number(below: 60, item: step, draw: 1))
          queue.schedule(step, at: time)
          times.append((time, step))
        }
      }
      queue.tick(byNanoseconds: 100)
      delivered += queue.drain()
      #expect(delivered == times.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map(\.id))
      #expect(queue.drain().isEmpty && queue.waiting == 0 && queue.pending == 0)
    }
  }

  @Test("An event in the past happens at the next tick")
  func anEventWhoseTimeHasPassedHappensAtTheNextTick() {
    var queue = EventQueue<String>(at: Timestamp(nanoseconds: 100))
    queue.schedule("late", at: Timestamp(nanoseconds: 5))
    queue.schedule("now", at: Timestamp(nanoseconds: 100))
    #expect(queue.drain() == [])
    queue.tick(byNanoseconds: -50)
    #expect(queue.now == Timestamp(nanoseconds: 100))
    #expect(queue.drain() == ["late", "now"])
  }
}
