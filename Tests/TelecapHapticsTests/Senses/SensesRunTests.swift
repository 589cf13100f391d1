import TelecapHaptics
import TelecapRecording
import Testing

/// Events through core, shell and clocks to three senses.
@Suite struct SensesRunTests {
  private func at(_ ms: Int64) -> Timestamp { Timestamp(nanoseconds: ms * 1_000_000) }

  /// A script in centimetres of these events and changes, at times in ms.
  private func script(
    _ events: [(Int64, WorldEvent)], _ changes: [(Int64, WorldChange)] = []
  ) -> SensesScript {
    var script = SensesScript(title: "test")
    script.trials = 50
    script.space.scale = 0.01
    script.events = events.map { (at($0.0), $0.1) }
    script.changes = changes.map { (at($0.0), $0.1) }
    return script
  }

  private let left = WorldEvent.explosion(Explosion(at: Vector3(-100, 0, 0)))

  private func placement(_ event: SensedEvent?) -> SoundPlacement? {
    guard case .sound(let placement, _, _, _, _) = event?.perception.heard else { return nil }
    return placement
  }

  @Test("An explosion on the left is seen, heard on the left, and felt at once")
  func whatIsLeftIsSeenHeardLeftAndFeltAtOnce() throws {
    let event = try #require(SensesRun(script([(500, left)])).sensed.first)
    let heard = try #require(placement(event))
    #expect(heard.distance == 1 && heard.left > 0.999 && heard.right < 1e-9)
    #expect(event.perception.felt == .pattern(ExplosionFeel(intensity: 1, crack: 1, rumble: 0.8)))
    #expect(event.perception.seen == .burst(.all) && event.perception.senses == [.seen, .heard, .felt])
    #expect(event.drained > at(500) && event.drained <= at(517))
    #expect(event.starts.skew < 30_000_000)
    let skew = try #require(event.skew)
    #expect(skew.ahead.skews.count == 50 && skew.ahead.quantile(0.5) < skew.now.quantile(0.5))
  }

  @Test("A scale of metres gives another distance than one of centimetres")
  func aMetreIsNotAHundred() throws {
    var metres = script([(0, left)])
    metres.space.scale = 1
    #expect(placement(SensesRun(metres).sensed.first)?.distance == 100)
    guard case .pattern(let feel) = SensesRun(metres).sensed.first?.perception.felt else { throw Unfelt() }
    #expect(abs(feel.intensity - 0.01) < 1e-12)
  }

  private struct Unfelt: Error {}

  @Test(
    "Heat disables one sense after another",
    arguments: [
      (ThermalState.nominal, DeviceConditions.Particles.all, true, true, true),
      (.fair, .fewer, true, true, true), (.serious, .fewer, true, false, false),
      (.critical, .minimal, false, false, false),
    ])
  func heatTakesOneSenseAfterAnother(
    _ state: ThermalState, _ particles: DeviceConditions.Particles, _ isHeard: Bool, _ isPlaced: Bool, _ isFelt: Bool
  ) throws {
    let event = try #require(SensesRun(script([(100, left)], [(50, .thermal(state))])).sensed.first)
    #expect(event.perception.seen == .burst(particles))
    #expect((placement(event) != nil) == isHeard && (placement(event)?.isPlaced ?? false) == isPlaced)
    #expect((event.pattern != nil) == isFelt)
    if state == .serious { #expect(placement(event)?.left == placement(event)?.right) }
  }

  @Test("Low power leaves one medium impact, and the ambient category mixes music")
  func lowPowerIsOneMediumImpactAndAmbientMixes() throws {
    let changes: [(Int64, WorldChange)] = [(50, .lowPower(true)), (60, .category(.ambient))]
    let event = try #require(SensesRun(script([(100, left)], changes)).sensed.first)
    #expect(event.perception.felt == .mediumImpact && event.music == "mixed")
    #expect(SensesRun(script([(100, left)])).sensed.first?.music == "silenced")
  }

  @Test("A busy main thread delays all three senses and loses nothing")
  func aBusyMainThreadMakesAllThreeLateAndLosesNothing() {
    let events = (0..<5).map { (Int64(100 + 10 * $0), WorldEvent.ring(integrity: Double($0) / 10)) }
    let run = SensesRun(script(events + [(150, left)], [(90, .busy(300_000_000))]))
    #expect(run.sensed.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(run.sensed.allSatisfy { $0.drained >= at(390) && $0.drained <= at(407) })
  }

  @Test("An interruption stops sound and haptics")
  func anInterruptionBreaksOffWhatIsHeardAndFelt() throws {
    let run = SensesRun(
      script(
        [(100, left), (500, left), (900, left)], [(300, .interruption(isOn: true)), (800, .interruption(isOn: false))]))
    #expect(run.sensed[0].heardUntil == at(300) && run.sensed[0].feltUntil == at(300))
    #expect(run.sensed[1].perception.heard == .interrupted)
    #expect(run.sensed[1].perception.felt == .nothing(.stopped(.audioSessionInterrupted)))
    #expect(run.sensed[2].heardUntil == nil && run.sensed[2].pattern != nil)
    #expect(run.felt(at: at(310)) == .silence && run.felt(at: at(290)).intensity > 0)
  }

  @Test("The oldest sound is stopped if all players are busy")
  func aBusyPoolBreaksOffTheOldestSound() {
    var script = script((0..<3).map { (100 + 50 * Int64($0), left) })
    script.players = 2
    let run = SensesRun(script)
    #expect(run.sensed.map { $0.heardUntil != nil } == [true, false, false])
    #expect(run.sensed[0].heardUntil == run.sensed[2].time(of: .heard))
  }

  @Test("The listener's movement changes the sound")
  func theListenerMoves() throws {
    var turned = script([(100, .explosion(Explosion(at: Vector3(0, 0, -200))))])
    turned.listener.camera = try #require(
      Track([(at(0), Rotation.none), (at(50), Rotation(Attitude(yaw: 90)))]))
    let heard = try #require(placement(SensesRun(turned).sensed.first))
    #expect(heard.left > 0.499 && heard.right < 1e-9, "what was ahead is on the left")
  }

  @Test("The same script gives the same run")
  func theSameScriptGivesTheSame() {
    let runs = (0..<2).map { _ in SensesRun(script([(100, left), (400, left)])) }
    #expect(runs[0].sensed.map(\.starts) == runs[1].sensed.map(\.starts))
    #expect(runs[0].sensed[0].starts == runs[0].sensed[1].starts, "clocks go on evenly")
    #expect(runs[0].sensed[0].skew?.ahead != runs[0].sensed[1].skew?.ahead, "trials vary")
  }

  @Test("Events that are drained together are seen together")
  func whatIsDrainedAtOnceIsSeenAtOnce() {
    let events: [(Int64, WorldEvent)] = (0..<6).map { (Int64(100 + $0), WorldEvent.ring(integrity: 0.5)) }
    let run = SensesRun(script(events + [(106, left)], [(90, .busy(100_000_000))]))
    #expect(Set(run.sensed.map { $0.time(of: .seen) }).count == 1)
  }

  /// 50 ms ahead: drained at 100 ms, perceived at about 150 ms.
  @Test(
    "A sound that is interrupted before it begins is not heard or felt",
    arguments: [
      (WorldChange.interruption(isOn: true), Heard.interrupted, Felt.nothing(.stopped(.audioSessionInterrupted))),
      (.thermal(.critical), .tooHot(.critical), .nothing(.thermal(.critical))),
    ])
  func whatIsBrokenOffBeforeItBeginsIsNothing(_ change: WorldChange, _ heard: Heard, _ felt: Felt) throws {
    let event = try #require(SensesRun(script([(100, left)], [(120, change)])).sensed.first)
    #expect(event.perception.heard == heard && event.perception.felt == felt)
    #expect(event.pattern == nil && event.voice(of: .burst) == nil && event.skew == nil)
    #expect(event.perception.senses == [.seen] && event.heardUntil == nil && event.feltUntil == nil)
  }

  @Test("In low power before a pattern begins, the pattern is not played")
  func lowPowerBeforeAPatternBeginsLeavesNothingToFeel() throws {
    let event = try #require(SensesRun(script([(100, left)], [(120, .lowPower(true))])).sensed.first)
    #expect(event.perception.felt == .savedPower && event.pattern == nil && event.perception.senses == [.seen, .heard])
    let later = try #require(SensesRun(script([(100, left)], [(300, .lowPower(true))])).sensed.first)
    #expect(later.pattern != nil && later.feltUntil == at(300))
  }

  @Test("A player that is reused before its sound begins plays nothing of it")
  func aPlayerThatIsTakenBeforeItsSoundBeginsPlaysNothingOfIt() {
    var script = script([(100, left), (101, left)])
    script.players = 1
    let run = SensesRun(script)
    #expect(run.sensed[0].perception.heard == .replaced && run.sensed[1].perception.senses.contains(.heard))
  }

  @Test("An explosion without energy is not heard or felt")
  func withoutEnergyNothingIsHeardOrFelt() throws {
    let silent = WorldEvent.explosion(Explosion(at: Vector3(-100, 0, 0), energy: 0))
    let event = try #require(SensesRun(script([(100, silent)])).sensed.first)
    #expect(event.perception.senses == [.seen] && event.pattern == nil && event.skew == nil)
  }

  @Test("A lasting strength is kept in the pattern of a session")
  func aStrengthThatLastsIsHeldInThePatternOfASession() throws {
    var followed = FollowedSession()
    followed.strengths = (0..<20).map { (time: at(Int64($0) * 50), value: 0.8) }
    for (ms, value) in [(Int64(4_000), 0.0), (7_000, 0.4), (7_050, 0.4)] { followed.strengths.append((at(ms), value)) }
    followed.end = at(7_100)
    let pattern = HapticTimeline(try #require(followed.pattern(tolerance: 0.02)).pattern)
    let expected: [(Double, Double)] = [(2.5, 0.8), (3.9, 0.8), (4.1, 0), (5.5, 0), (6.9, 0)]
    for (seconds, intensity) in expected {
      #expect(abs(pattern.sample(at: seconds).intensity - intensity) <= 0.021, "\(seconds) s")
    }
    #expect(followed.longestStrength == 4_000_000_000)
  }

  @Test(
    "The sharpness of a material is felt",
    arguments: [(Material.glass, 1.0, 0.8), (.stone, 0.6, 0.4), (Material("mud", 0...0.2), 0.2, 0)])
  func aMaterialIsFeltByItsSharpness(_ material: Material, _ crack: Double, _ rumble: Double) throws {
    let explosion = Explosion(at: Vector3(-200, 0, 0), energy: 0.5, material: material)
    let event = try #require(SensesRun(script([(0, .explosion(explosion))])).sensed.first)
    #expect(event.perception.felt == .pattern(ExplosionFeel(intensity: 0.25, crack: crack, rumble: rumble)))
    let timeline = HapticTimeline(try #require(event.pattern))
    #expect(abs(timeline.sample(at: 0).sharpness - crack) < 1e-9)
    #expect(abs(timeline.sample(at: 0.519).sharpness - rumble) < 1e-3)
    #expect(abs(timeline.sample(at: 0.02).intensity - 0.25) < 1e-9)
  }
}
