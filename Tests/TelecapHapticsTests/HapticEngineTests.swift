import TelecapHaptics
import TelecapRecording
import Testing

/// A haptic engine driven by hand in virtual time, and its events.
struct DrivenEngine {
  var engine: HapticEngine
  var now = Timestamp.zero
  var told: [EngineEvent] = []

  init(_ change: (inout HapticEngine.Settings) -> Void = { _ in }) {
    var settings = HapticEngine.Settings()
    change(&settings)
    engine = HapticEngine(settings)
  }

  /// Does something now.
  mutating func act(_ body: (inout HapticEngine, Timestamp, HapticEngine.Tell) -> Void) {
    var told = told
    body(&engine, now) { told.append($0) }
    self.told = told
  }

  /// Lets time pass, waking the engine whenever it asked to be.
  mutating func wait(_ milliseconds: Int64) {
    let end = now.advanced(byNanoseconds: milliseconds * 1_000_000)
    while let wake = engine.nextWake, wake <= end {
      now = max(now, wake)
      act { $0.advance(to: $1, $2) }
    }
    now = end
  }

  mutating func prepare() { act { $0.prepare(at: $1, $2) } }
  mutating func open() { act { $0.openSession(at: $1, $2) } }
  mutating func drive(_ intensity: Float) { act { $0.drive(intensity, at: $1, $2) } }
  mutating func suffer(_ fault: EngineFault) { act { $0.suffer(fault, at: $1, $2) } }
  mutating func play(_ name: String) { act { $0.play(name, at: $1, $2) } }
  mutating func change(_ conditions: DeviceConditions) { act { $0.change(conditions, at: $1, $2) } }
  mutating func load(_ name: String = "tap", milliseconds: Int64 = 200) {
    act { engine, _, tell in engine.load(name, lasting: milliseconds * 1_000_000, tell) }
  }

  /// The events since the last drain.
  mutating func drain() -> [EngineEvent] {
    defer { told = [] }
    return told
  }

  /// An engine that runs, with a session and a pattern called `tap`.
  static func running(_ change: (inout HapticEngine.Settings) -> Void = { _ in }) -> DrivenEngine {
    var driven = DrivenEngine(change)
    driven.prepare()
    driven.open()
    driven.load()
    driven.told = []
    return driven
  }
}

@Suite struct HapticEngineTests {
  @Test("A device without haptics plays nothing")
  func aDeviceWithoutHapticsPlaysNothingWhateverIsAsked() {
    var engine = DrivenEngine { $0.supportsHaptics = false }
    engine.prepare()
    engine.open()
    engine.load()
    #expect(engine.drain() == [.silent(.unsupported), .loaded("tap")])
    engine.play("tap")
    engine.drive(0.8)
    engine.drive(0.9)
    engine.suffer(.reset)
    engine.suffer(.over(.applicationSuspended))
    #expect(engine.drain() == [.silent(.unsupported), .silent(.unsupported)])
    engine.change(DeviceConditions(isLowPower: true))
    engine.play("tap")
    #expect(engine.drain() == [.silent(.unsupported)])
    #expect(engine.engine.state == .unprepared && engine.engine.strength == 0)
  }

  @Test("A missing engine plays nothing")
  func withoutAnEngineNothingHappens() {
    var engine = DrivenEngine()
    engine.open()
    engine.load()
    engine.play("tap")
    engine.drive(1)
    engine.suffer(.reset)
    #expect(engine.drain() == [.loaded("tap"), .silent(.unprepared), .silent(.unprepared)])
    engine.prepare()
    #expect(engine.drain() == [.started, .output(1)])
  }

  @Test("Strengths are clamped, and zero stops the motor")
  func strengthsAreClampedAndZeroStops() {
    var engine = DrivenEngine.running()
    for value in [0.25, 1.5, -1, 0.5, .nan, .infinity, 0] as [Float] { engine.drive(value) }
    #expect(
      engine.drain() == [.output(0.25), .output(1), .output(0), .output(0.5), .output(0), .output(1), .output(0)])
  }

  @Test("Strengths outside a session play nothing")
  func strengthsOutsideASessionPlayNothing() {
    var engine = DrivenEngine()
    engine.prepare()
    engine.drive(1)
    #expect(engine.drain() == [.started, .silent(.noSession)])
  }

  @Test("The motor is off after the session is lost")
  func aLostSessionLeavesNoMotorOn() {
    var engine = DrivenEngine.running { $0.shortestInterval = 50_000_000 }
    engine.drive(0.5)
    engine.drive(0.9)
    engine.act { $0.loseSession(at: $1, $2) }
    engine.wait(1_000)
    #expect(engine.drain() == [.output(0.5), .output(0)])
    engine.suffer(.reset)
    #expect(engine.engine.strength == 0)
  }

  @Test("The latest strength wins and nothing is queued")
  func theLatestStrengthWinsAndNothingIsQueued() {
    var engine = DrivenEngine.running { $0.shortestInterval = 50_000_000 }
    engine.drive(0.1)
    for step in 2...9 {
      engine.wait(5)
      engine.drive(Float(step) / 10)
    }
    engine.wait(500)
    #expect(engine.drain() == [.output(0.1), .output(0.9)])
    engine.drive(0.2)
    engine.drive(0)
    #expect(engine.drain() == [.output(0.2), .output(0)])
    engine.wait(500)
    #expect(engine.drain() == [])
  }

  @Test("Impacts follow the limits of the strength, and the latest wins")
  func impactsFollowTheBordersAndTheLatestWins() {
    var engine = DrivenEngine.running { $0.playsImpacts = true }
    for value in [0.1, Float(0.1).nextUp, 0.4, 0.5, 0.7, 0.75, 9] as [Float] { engine.drive(value) }
    #expect(
      engine.drain() == [.light, .light, .medium, .medium, .heavy, .heavy].map { .impact($0, savesPower: false) })
    engine = .running {
      $0.playsImpacts = true
      $0.shortestInterval = 30_000_000
    }
    for value in [0.2, 0.9, 0.5] as [Float] { engine.drive(value) }
    engine.wait(100)
    #expect(engine.drain() == [.impact(.light, savesPower: false), .impact(.medium, savesPower: false)])
  }

  @Test("A pattern is loaded once and kept through failures")
  func aPatternIsLoadedOnceAndKeptThroughFailures() {
    var engine = DrivenEngine.running()
    engine.load()
    #expect(engine.drain() == [])
    engine.suffer(.reset)
    engine.suffer(.stop(.systemError))
    _ = engine.drain()
    engine.play("tap")
    #expect(engine.drain() == [.playing("tap")])
    engine.play("other")
    #expect(engine.drain() == [.silent(.notLoaded)])
  }

  @Test("An engine that fails to play is restarted for the next pattern")
  func anEngineThatFailsToPlayIsRestartedForTheNextPattern() {
    var engine = DrivenEngine.running()
    engine.drive(0.5)
    engine.suffer(.playFails)
    engine.play("tap")
    #expect(engine.drain() == [.output(0.5), .output(0), .started, .output(0.5), .silent(.playFailed)])
    engine.play("tap")
    #expect(engine.drain() == [.playing("tap")])
  }

  @Test("An engine whose server failed is restarted at once", arguments: [EngineFault.reset, .stop(.systemError)])
  func anEngineWhoseServerFailedIsRestartedAtOnce(_ fault: EngineFault) {
    var engine = DrivenEngine.running()
    engine.drive(0.5)
    engine.suffer(fault)
    #expect(engine.drain() == [.output(0.5), .output(0), .stopped(.systemError), .started, .output(0.5)])
    #expect(engine.engine.state == .running)
  }

  @Test(
    "An interrupted engine stays stopped until the interruption is over",
    arguments: [EngineStop.audioSessionInterrupted, .applicationSuspended])
  func anInterruptedEngineStandsStillUntilItIsOver(_ reason: EngineStop) {
    var engine = DrivenEngine.running()
    engine.drive(0.5)
    engine.suffer(.stop(reason))
    #expect(engine.drain() == [.output(0.5), .output(0), .stopped(reason)])
    engine.play("tap")
    engine.suffer(.reset)
    engine.drive(0.8)
    #expect(engine.drain() == [.silent(.stopped(reason))])
    engine.suffer(.over(reason))
    #expect(engine.drain() == [.started, .output(0.8)])
  }

  @Test("Two interruptions must both end before the engine restarts")
  func twoInterruptionsMustBothBeOver() {
    var engine = DrivenEngine.running()
    engine.suffer(.stop(.audioSessionInterrupted))
    engine.suffer(.stop(.applicationSuspended))
    engine.suffer(.over(.audioSessionInterrupted))
    #expect(engine.engine.state != .running)
    engine.suffer(.over(.applicationSuspended))
    #expect(engine.engine.state == .running)
  }

  @Test("An engine that failed to start is started again by the next pattern or strength")
  func anEngineThatDoesNotStartIsTriedAgainWhenSomethingIsToBePlayed() {
    var engine = DrivenEngine()
    engine.suffer(.startFails)
    engine.prepare()
    #expect(engine.drain() == [.startFailed])
    #expect(engine.engine.state == .prepared)
    engine.load()
    engine.suffer(.startFails)
    engine.play("tap")
    #expect(engine.drain() == [.loaded("tap"), .startFailed, .silent(.startFailed)])
    engine.play("tap")
    #expect(engine.drain() == [.started, .playing("tap")])
  }

  @Test("An idle engine stops and is started by the next pattern")
  func anIdleEngineStopsAndIsStartedByTheNextPattern() {
    var engine = DrivenEngine.running { $0.idleTimeout = 1_000_000_000 }
    engine.play("tap")
    engine.wait(1_199)
    #expect(engine.drain() == [.playing("tap")])
    engine.wait(1)
    #expect(engine.drain() == [.stopped(.idleTimeout)])
    engine.play("tap")
    #expect(engine.drain() == [.started, .playing("tap")])
  }

  @Test("An engine that vibrates is not idle")
  func anEngineThatVibratesIsNotIdle() {
    var engine = DrivenEngine.running { $0.idleTimeout = 1_000_000_000 }
    engine.drive(0.5)
    engine.wait(10_000)
    engine.drive(0)
    engine.wait(999)
    #expect(engine.drain() == [.output(0.5), .output(0)])
    engine.wait(1)
    #expect(engine.drain() == [.stopped(.idleTimeout)])
    engine.drive(0.3)
    #expect(engine.drain() == [.started, .output(0.3)])
  }

  @Test("An engine may stop when its pattern has ended")
  func anEngineMayStopWhenItsPatternHasEnded() {
    var engine = DrivenEngine.running { $0.stopsWhenFinished = true }
    engine.play("tap")
    engine.wait(200)
    #expect(engine.drain() == [.playing("tap"), .stopped(.notifyWhenFinished)])
  }

  @Test(
    "A hot device plays nothing and reports the reason", arguments: [ThermalState.serious, .critical], [false, true])
  func aHotDevicePlaysNothingAndSaysWhy(_ state: ThermalState, _ isLowPower: Bool) {
    var engine = DrivenEngine.running()
    engine.drive(0.5)
    engine.change(DeviceConditions(thermal: state, isLowPower: isLowPower))
    engine.play("tap")
    engine.drive(0)
    engine.drive(0.9)
    engine.drive(0.8)
    #expect(engine.drain() == [.output(0.5), .output(0), .silent(.thermal(state)), .silent(.thermal(state))])
    engine.change(DeviceConditions(thermal: .fair))
    #expect(engine.drain() == [.output(0.8)])
  }

  @Test("A device in low power mode plays one medium impact instead", arguments: [ThermalState.nominal, .fair])
  func aDeviceThatSavesPowerPlaysOneMediumImpactInstead(_ state: ThermalState) {
    var engine = DrivenEngine.running()
    engine.change(DeviceConditions(thermal: state, isLowPower: true))
    engine.play("tap")
    #expect(engine.drain() == [.impact(.medium, savesPower: true)])
    for value in [0.5, 0.9, 0.7] as [Float] { engine.drive(value) }
    #expect(engine.drain() == [.impact(.medium, savesPower: true)])
    #expect(engine.engine.strength == 0)
  }

  @Test(
    "Heat reduces particles first, then haptics and spatial sound",
    arguments: [
      (ThermalState.nominal, DeviceConditions.Audio.spatial, DeviceConditions.Particles.all), (.fair, .spatial, .fewer),
      (.serious, .flat, .fewer), (.critical, .minimal, .minimal),
    ])
  func heatTakesParticlesFirstThenHapticsAndSpace(
    _ state: ThermalState, _ audio: DeviceConditions.Audio, _ particles: DeviceConditions.Particles
  ) {
    let conditions = DeviceConditions(thermal: state)
    #expect(conditions.audio == audio && conditions.particles == particles)
    #expect(conditions.haptics == (state >= .serious ? .nothing(state) : .asIs))
  }

  /// After any fault, an engine vibrates only while it runs, in a session and cool, and settles on the latest value.
  @Test("Faults at any time leave no stale strength", arguments: 0..<200)
  func faultsAtAnyTimeLeaveNoStaleStrength(_ seed: Int) {
    let draws = KeyedDraws(seed: UInt64(seed))
    var engine = DrivenEngine.running {
      $0.shortestInterval = 20_000_000
      $0.idleTimeout = seed.isMultiple(of: 2) ? 300_000_000 : nil
    }
    var latest: Float = 0
    var inSession = true
    for step in 0..<200 {
      switch draws.number(below: 12, item: step, draw: 0) {
      case 0...4:
        let value = Float(draws.number(below: 11, item: step, draw: 1)) / 10
        engine.drive(value)
        if inSession { latest = value }
      case 5: engine.suffer(.stop(EngineStop.allCases[Int(draws.number(below: 5, item: step, draw: 1))]))
      case 6: engine.suffer(.over(EngineStop.allCases[Int(draws.number(below: 2, item: step, draw: 1))]))
      case 7: engine.suffer([.reset, .startFails, .playFails][Int(draws.number(below: 3, item: step, draw: 1))])
      case 8:
        let thermal = ThermalState.allCases[Int(draws.number(below: 4, item: step, draw: 1))]
        engine.change(DeviceConditions(thermal: thermal, isLowPower: step.isMultiple(of: 3)))
      case 9: engine.play("tap")
      case 10:
        engine.act { $0.loseSession(at: $1, $2) }
        (inSession, latest) = (false, 0)
        #expect(engine.engine.strength == 0)
      default:
        engine.open()
        inSession = true
      }
      engine.wait(draws.number(below: 40, item: step, draw: 2))
      let state = engine.engine
      if state.state != .running || !inSession || state.conditions.haptics != .asIs { #expect(state.strength == 0) }
    }
    engine.wait(20)
    let plays = engine.engine.state == .running && engine.engine.conditions.haptics == .asIs
    #expect(engine.engine.strength == (plays ? latest : 0))
    let outputs = engine.told.compactMap { if case .output(let value) = $0 { value } else { nil } }
    #expect(zip(outputs, outputs.dropFirst()).allSatisfy { $0 != $1 })
  }
}
