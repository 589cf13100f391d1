import TelecapRecording

/// The shell of an application, which maps events from its core to senses (haptics.md, One event, three senses;
/// Multisensory Architectures, The SensoryManager).
public struct SensesShell: Sendable {
  /// The space of sounds.
  public let space: SoundSpace
  /// The sound of an explosion: its duration and number of channels.
  public let clip: (duration: Nanoseconds, channels: Int)
  /// Heat and power.
  public private(set) var conditions = DeviceConditions()
  /// The category of the audio session.
  public private(set) var category = SessionCategory.playback
  /// Whether the audio session is interrupted.
  public private(set) var isInterrupted = false

  private var pool: PlayerPool
  private var engine: HapticEngine
  private let rules: SensesRules

  /// The duration of the pattern of an explosion, in ns.
  public static let patternLength: Nanoseconds = 620_000_000

  /// A prepared shell: its engine runs, its patterns and its sound are loaded.
  public init(
    space: SoundSpace, clip: (duration: Nanoseconds, channels: Int) = (SoundClip.burst.duration, 1), players: Int = 4,
    supportsHaptics: Bool = true, rules: SensesRules = SensesRules(), engineRules: HapticEngine.Rules = .init()
  ) {
    (self.space, self.clip, self.rules) = (space, clip, rules)
    pool = PlayerPool(players)
    var settings = HapticEngine.Settings()
    settings.supportsHaptics = supportsHaptics
    engine = HapticEngine(settings, rules: engineRules)
    engine.prepare(at: .zero) { _ in }
    engine.load(SensesShell.pattern, lasting: SensesShell.patternLength) { _ in }
  }

  /// The engine's name for the explosion.
  private static let pattern = "explosion"

  /// Applies a change around the application.
  ///
  /// - Returns: whether it ends the current haptics, and the current sound.
  public mutating func change(_ change: WorldChange, at time: Timestamp) -> (endsFelt: Bool, endsHeard: Bool) {
    switch change {
    case .thermal(let state): conditions.thermal = state
    case .lowPower(let isOn): conditions.isLowPower = isOn
    case .category(let category): self.category = category
    case .interruption(let isOn):
      isInterrupted = isOn
      let stop = EngineStop.audioSessionInterrupted
      engine.suffer(isOn ? .stop(stop) : .over(stop), at: time) { _ in }
      return (isOn, isOn)
    case .busy: break
    }
    engine.change(conditions, at: time) { _ in }
    return (conditions.haptics != .asIs, conditions.audio == .minimal && rules.isSilentWhenCritical)
  }

  /// The perception of an event by `listener` at `time`.
  public mutating func perceive(_ event: WorldEvent, for listener: Listener, at time: Timestamp) -> Perception {
    switch event {
    case .ring(let integrity): return Perception(seen: .ring(integrity: max(0, min(1, integrity))))
    case .explosion(let explosion):
      let particles = rules.savesParticles ? conditions.particles : .all
      return Perception(
        seen: .burst(particles), heard: heard(explosion, listener, time), felt: felt(explosion, listener, time))
    }
  }

  private mutating func heard(_ explosion: Explosion, _ listener: Listener, _ time: Timestamp) -> Heard {
    if isInterrupted { return .interrupted }
    let placed = space.placement(of: SoundSource(at: explosion.position, channels: clip.channels), for: listener)
    let isFlat = conditions.audio != .spatial && rules.isFlatWhenSerious
    if conditions.audio == .minimal, rules.isSilentWhenCritical { return .tooHot(conditions.thermal) }
    let (player, interrupts) = pool.trigger(at: time, lasting: clip.duration)
    return .sound(
      isFlat ? .bed : placed, level: explosion.energy, player: player, interrupts: interrupts,
      why: isFlat ? .flat(conditions.thermal) : placed.isPlaced ? .mono : .bed)
  }

  private mutating func felt(_ explosion: Explosion, _ listener: Listener, _ time: Timestamp) -> Felt {
    var felt = Felt.nothing(.unprepared)
    let feel = feel(explosion, listener)
    engine.play(SensesShell.pattern, at: time) { event in
      switch event {
      case .playing: felt = .pattern(feel)
      case .impact: felt = .mediumImpact
      case .silent(let why): felt = .nothing(why)
      default: break
      }
    }
    return felt
  }

  /// The haptics of an explosion, whether or not they are played.
  public func feel(_ explosion: Explosion, _ listener: Listener) -> ExplosionFeel {
    let gain = space.placement(of: SoundSource(at: explosion.position), for: listener).gain
    let sharpness = explosion.material.sharpness
    let crack = rules.cracksSharply ? sharpness.upperBound : sharpness.lowerBound
    return ExplosionFeel(
      intensity: (rules.fadesWithEnergy ? explosion.energy : 1) * (rules.fadesWithDistance ? gain : 1), crack: crack,
      rumble: rules.rumbleFalls ? sharpness.lowerBound : crack)
  }

  /// The effect on the user's music while a sound plays.
  public var music: String { rules.obeysCategory ? category.music : SessionCategory.playback.music }
}
