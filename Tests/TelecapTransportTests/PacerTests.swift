import TelecapTransport
import Testing

@Suite struct PacerTests {
  /// Work that only remembers; each send may take time on the clock.
  struct Script: PacedWork {
    var dues: [Int64]
    var room = 64
    var next = 0
    var loaded = 0
    var batches: [(count: Int, time: Int64)] = []
    var idles = 0
    var onSend: (Int) -> Void = { _ in }
    var onIdle: () -> Void = {}

    init(_ dues: [Int64]) { self.dues = dues }

    mutating func nextDue() -> Int64? { next < dues.count ? dues[next] : nil }

    mutating func load() -> Bool {
      guard loaded < room else { return false }
      loaded += 1
      next += 1
      return true
    }

    mutating func send(at time: Int64) {
      batches.append((loaded, time))
      onSend(batches.count)
      loaded = 0
    }

    mutating func idle() {
      idles += 1
      onIdle()
    }
  }

  let millisecond: Int64 = 1_000_000

  @Test("Every packet goes out at its deadline and not before")
  func everyPacketGoesOutAtItsDeadlineAndNotBefore() throws {
    let clock = ManualClock()
    var pacer = Pacer(clock: clock, stop: StopFlag())
    var work = Script((0..<100).map { $0 * millisecond })
    #expect(try pacer.run(&work) == .done)
    #expect(work.batches.map(\.count) == Array(repeating: 1, count: 100))
    for (due, batch) in zip(work.dues, work.batches) {
      #expect(batch.time >= due)
      #expect(batch.time - due <= 2 * clock.tick)
    }
  }

  @Test("A late packet does not shift the next")
  func aLatePacketDoesNotShiftTheNext() throws {
    let clock = ManualClock()
    var pacer = Pacer(clock: clock, stop: StopFlag())
    var work = Script([0, 10, 20, 30].map { $0 * millisecond })
    work.onSend = { if $0 == 2 { clock.pass(5_000_000) } }
    #expect(try pacer.run(&work) == .done)
    #expect(work.batches[2].time - 20 * millisecond <= 200)
    #expect(work.batches[3].time - 30 * millisecond <= 200)
  }

  @Test("Packets that a slow send made overdue go out in one batch")
  func packetsThatASlowSendMadeOverdueGoOutInOneBatch() throws {
    let clock = ManualClock()
    var pacer = Pacer(clock: clock, stop: StopFlag())
    var work = Script([0, 1, 2, 3, 9].map { $0 * millisecond })
    work.onSend = { if $0 == 1 { clock.pass(3_500_000) } }
    #expect(try pacer.run(&work) == .done)
    #expect(work.batches.map(\.count) == [1, 3, 1])
    #expect(pacer.lateness.summary.max > 2_500_000)
    #expect(work.batches[2].time - 9 * millisecond <= 200)
  }

  @Test("Packets due together go out together as far as there is room")
  func packetsDueTogetherGoOutTogetherAsFarAsThereIsRoom() throws {
    var pacer = Pacer(clock: ManualClock(), stop: StopFlag())
    var work = Script(Array(repeating: 5 * millisecond, count: 10))
    work.room = 4
    #expect(try pacer.run(&work) == .done)
    #expect(work.batches.map(\.count) == [4, 4, 2])
  }

  @Test("The pacer sleeps short of the deadline and in slices")
  func itSleepsShortOfTheDeadlineAndInSlices() throws {
    let clock = ManualClock()
    let timing = PacerTiming(spin: 200_000, slice: 50_000_000, lead: 0)
    var pacer = Pacer(clock: clock, stop: StopFlag(), timing: timing)
    var work = Script([120 * millisecond])
    let start = clock.time + clock.tick
    #expect(try pacer.run(&work) == .done)
    #expect(clock.sleeps.count == 3)
    #expect(clock.sleeps.last == start + 120 * millisecond - 200_000)
    #expect(work.idles >= 2)
  }

  @Test("Oversleeping within the margin costs nothing")
  func oversleepingWithinTheMarginCostsNothing() throws {
    let clock = ManualClock()
    clock.oversleep = 150_000
    var pacer = Pacer(clock: clock, stop: StopFlag())
    var work = Script((0..<50).map { $0 * millisecond })
    #expect(try pacer.run(&work) == .done)
    #expect(pacer.lateness.summary.max <= 200)
    #expect(abs(pacer.lateness.summary.driftPPM) < 1)
  }

  @Test("A raised flag ends the run before the next send")
  func aRaisedFlagEndsTheRunBeforeTheNextSend() throws {
    let stop = StopFlag()
    var pacer = Pacer(clock: ManualClock(), stop: stop)
    var work = Script([0, 3_600_000 * millisecond])
    work.onIdle = { stop.raise() }
    #expect(try pacer.run(&work) == .stopped)
    #expect(work.batches.count == 1)
  }

  @Test("The pacer looks for replies regularly during a flood")
  func aFloodLooksForRepliesNowAndThen() throws {
    var pacer = Pacer(clock: ManualClock(), stop: StopFlag())
    var work = Script(Array(repeating: 0, count: 64 * 160))
    #expect(try pacer.run(&work) == .done)
    #expect(work.batches.count == 160)
    #expect(work.idles >= 10 && work.idles <= 12)
  }

  @Test("A packet that never fits is an error and not an endless loop")
  func aPacketThatNeverFitsIsAnErrorAndNotAnEndlessLoop() {
    var pacer = Pacer(clock: ManualClock(), stop: StopFlag())
    var work = Script([7])
    work.room = 0
    #expect(throws: PacingError.self) { try pacer.run(&work) }
  }

  @Test("Extreme due times do not trap")
  func extremeDueTimesDoNotTrap() throws {
    let stop = StopFlag()
    var pacer = Pacer(clock: ManualClock(), stop: stop)
    var work = Script([.min, -5, 0, .max])
    work.onIdle = { stop.raise() }
    #expect(try pacer.run(&work) == .stopped)
    #expect(work.batches.map(\.count).reduce(0, +) == 3)
  }
}
