import TelecapRecording

/// The haptic engine of a phone as a state machine (HapticManager Documentation; Multisensory Architectures, The
/// CHHapticEngine Runtime). Time is passed in and only goes forward; no method throws or traps, whatever the state.
///
/// Strengths that come over the wire drive one continuous event, or impacts. There is no queue: the engine keeps the
/// latest strength only, and plays it as soon as it can (semantics.md, Latest value wins).
public struct HapticEngine: Hashable, Sendable {
  /// How the engine is to behave.
  public struct Settings: Hashable, Sendable {
    /// Whether the device has haptics at all.
    public var supportsHaptics = true
    /// It stops after so long without anything to play, ns; nil for never.
    public var idleTimeout: Nanoseconds?
    /// It stops when what it plays has ended.
    public var stopsWhenFinished = false
    /// Strengths become impacts instead of a continuous event.
    public var playsImpacts = false
    /// It takes a strength no more often than this, ns.
    public var shortestInterval: Nanoseconds = 0

    /// An engine on a device with haptics that never stops by itself.
    public init() {}
  }

  /// What an engine keeps to. As it stands it is right (HapticManager; Multisensory Architectures, The CHHapticEngine
  /// Runtime; Thermal Throttling Mitigation; Battery Optimization); one that is wrong differs in one of these.
  public struct Rules: Hashable, Sendable {
    /// It plays only on a device that has haptics.
    public var checksSupport = true
    /// It is restarted when playing fails.
    public var restartsOnFailure = true
    /// It is restarted after a reset.
    public var restartsOnReset = true
    /// Its patterns outlive a reset.
    public var keepsPatterns = true
    /// It obeys the device's heat.
    public var obeysHeat = true
    /// It obeys low-power mode.
    public var obeysLowPower = true
    /// How many impacts stand for a pattern in low-power mode.
    public var impactsToSavePower = 1

    /// The right ones.
    public init() {}
  }

  /// Where it is in its life.
  public enum State: Hashable, Sendable {
    /// There is none.
    case unprepared
    /// It was made, and did not start.
    case prepared
    /// It plays what it is given.
    case running
    /// It has stopped.
    case stopped(EngineStop)
  }

  /// Is told what happens, in order.
  public typealias Tell = (EngineEvent) -> Void

  /// How it behaves.
  public let settings: Settings
  private let rules: Rules
  /// Where it is in its life.
  public private(set) var state = State.unprepared
  /// The strength of its continuous event, 0…1.
  public private(set) var strength: Float = 0
  /// Heat and power.
  public private(set) var conditions = DeviceConditions()
  /// The patterns that were loaded, with their lengths in ns: kept whatever happens to the engine.
  public private(set) var patterns: [String: Nanoseconds] = [:]

  private var hasSession = false
  /// The latest strength asked for.
  private var wanted: Float = 0
  /// The latest strength that waits to become an impact.
  private var waiting: Float?
  /// When the engine takes the next strength.
  private var ready = Timestamp(nanoseconds: .min)
  /// When the last pattern ends; nil when none plays.
  private var playsUntil: Timestamp?
  /// Since when it has nothing to play.
  private var idleSince = Timestamp.zero
  private var holds: Set<EngineStop> = []
  private var nextStartFails = false
  private var nextPlayFails = false

  /// An engine that is not prepared.
  public init(_ settings: Settings = Settings(), rules: Rules = Rules()) {
    self.settings = settings
    self.rules = rules
  }

  private var supportsHaptics: Bool { settings.supportsHaptics || !rules.checksSupport }

  /// When `advance` has something to do next.
  public var nextWake: Timestamp? {
    [playsUntil, idleDeadline, hasLate ? ready : nil].compactMap { $0 }.min()
  }

  // MARK: - What the application does

  /// Makes and starts the engine where the device has haptics.
  public mutating func prepare(at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    guard supportsHaptics else { return tell(.silent(.unsupported)) }
    if state == .unprepared { state = .prepared }
    _ = start(at: time, tell)
  }

  /// Keeps a pattern of this length in ns; one that is kept already is not read again.
  public mutating func load(_ name: String, lasting duration: Nanoseconds, _ tell: Tell) {
    guard patterns[name] == nil else { return }
    patterns[name] = max(0, duration)
    tell(.loaded(name))
  }

  /// Plays a pattern that was loaded: as it is, as one medium impact, or not at all.
  public mutating func play(_ name: String, at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    guard let duration = patterns[name] else { return tell(.silent(.notLoaded)) }
    switch conditions.haptics {
    case .nothing(let thermal): tell(.silent(.thermal(thermal)))
    case .mediumImpact: savePower(at: time, tell)
    case .asIs:
      guard wake(at: time, tell) else { return }
      guard !nextPlayFails else {
        nextPlayFails = false
        // A pattern that comes late is felt as a mistake: the engine is made ready for the next one.
        if rules.restartsOnFailure { restart(at: time, tell) } else { stayDown(at: time, tell) }
        return tell(.silent(.playFailed))
      }
      tell(.playing(name))
      playsUntil = max(playsUntil ?? time, time.advanced(byNanoseconds: duration))
      advance(to: time, tell)
    }
  }

  /// A strength as it stood on the wire: NaN is 0, it is clamped to 0…1; the latest wins.
  public mutating func drive(_ intensity: Float, at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    guard hasSession else { return tell(.silent(.noSession)) }
    let begins = wanted == 0 && HapticStrength.clamped(intensity) > 0
    wanted = HapticStrength.clamped(intensity)
    switch conditions.haptics {
    case .asIs:
      if wanted > 0, begins || mayStart { _ = wake(at: time, tell) }
      if settings.playsImpacts, state == .running { waiting = wanted }
      settle(at: time, tell)
    case .mediumImpact: if begins { savePower(at: time, tell) }
    case .nothing(let thermal): if begins { tell(.silent(.thermal(thermal))) }
    }
  }

  /// The host said OK: HAPTIC counts from now on.
  public mutating func openSession(at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    hasSession = true
  }

  /// The session is lost: a lost session must not leave a motor on (semantics.md, on silence).
  public mutating func loseSession(at time: Timestamp, _ tell: Tell) {
    hasSession = false
    wanted = 0
    waiting = nil
    advance(to: time, tell)
    silence(at: time, tell)
  }

  /// The device is as hot, and its battery as low, as this.
  public mutating func change(_ conditions: DeviceConditions, at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    self.conditions = DeviceConditions(
      thermal: rules.obeysHeat ? conditions.thermal : .nominal,
      isLowPower: rules.obeysLowPower && conditions.isLowPower)
    if self.conditions.haptics != .asIs {
      waiting = nil
      playsUntil = nil
    }
    settle(at: time, tell)
  }

  // MARK: - What befalls it

  /// Something goes wrong, or is over.
  public mutating func suffer(_ fault: EngineFault, at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    switch fault {
    case .startFails: nextStartFails = true
    case .playFails: nextPlayFails = true
    case .stop(let reason):
      if reason.lasts { holds.insert(reason) }
      stop(reason, at: time, tell)
      if reason == .systemError { restart(at: time, tell) }
    case .over(let reason): if holds.remove(reason) != nil { restart(at: time, tell) }
    case .reset:
      if !rules.keepsPatterns { patterns = [:] }
      guard rules.restartsOnReset else { return stayDown(at: time, tell) }
      stop(.systemError, at: time, tell)
      restart(at: time, tell)
    }
  }

  /// Time has passed: plays the latest strength, ends what has ended, stops an engine that is idle.
  public mutating func advance(to time: Timestamp, _ tell: Tell) {
    if hasLate, time >= ready { settle(at: ready, tell) }
    if let end = playsUntil, time >= end {
      playsUntil = nil
      idleSince = end
      if settings.stopsWhenFinished, strength == 0 { stop(.notifyWhenFinished, at: end, tell) }
    }
    if let deadline = idleDeadline, time >= deadline { stop(.idleTimeout, at: deadline, tell) }
  }
}

// MARK: - Starting and stopping

extension HapticEngine {
  private var idleDeadline: Timestamp? {
    guard let timeout = settings.idleTimeout, state == .running, playsUntil == nil, strength == 0 else { return nil }
    return idleSince.advanced(byNanoseconds: timeout)
  }

  /// Whether it stands still without a cause that lasts.
  private var mayStart: Bool { state != .running && state != .unprepared && holds.isEmpty }

  /// Runs, or is made to; otherwise says why not.
  private mutating func wake(at time: Timestamp, _ tell: Tell) -> Bool {
    guard supportsHaptics else {
      tell(.silent(.unsupported))
      return false
    }
    switch state {
    case .running: return true
    case .unprepared: tell(.silent(.unprepared))
    case .prepared, .stopped:
      if let hold = EngineStop.allCases.first(where: holds.contains) {
        tell(.silent(.stopped(hold)))
        return false
      }
      if start(at: time, tell) { return true }
      tell(.silent(.startFailed))
    }
    return false
  }

  private mutating func start(at time: Timestamp, _ tell: Tell) -> Bool {
    guard state != .running else { return true }
    guard holds.isEmpty, !nextStartFails else {
      nextStartFails = false
      tell(.startFailed)
      return false
    }
    state = .running
    idleSince = time
    tell(.started)
    settle(at: time, tell)
    return true
  }

  private mutating func stop(_ reason: EngineStop, at time: Timestamp, _ tell: Tell) {
    guard state == .running else { return }
    state = .stopped(reason)
    playsUntil = nil
    waiting = nil
    silence(at: time, tell)
    tell(.stopped(reason))
  }

  /// Stops for good.
  private mutating func stayDown(at time: Timestamp, _ tell: Tell) {
    stop(.systemError, at: time, tell)
    holds.insert(.systemError)
  }

  /// Restarts an engine that was made; while an interruption lasts there is nothing to be tried.
  private mutating func restart(at time: Timestamp, _ tell: Tell) {
    guard state != .unprepared, holds.isEmpty else { return }
    if state == .running {
      silence(at: time, tell)
      state = .prepared
    }
    _ = start(at: time, tell)
  }
}

// MARK: - Strength

extension HapticEngine {
  /// What the continuous event ought to be now.
  private var target: Float {
    state == .running && conditions.haptics == .asIs && !settings.playsImpacts ? wanted : 0
  }

  /// Whether a strength waits for the engine.
  private var hasLate: Bool { target != strength || waiting != nil }

  /// Plays the latest strength, if the engine takes one now; to stop it takes one at any time.
  private mutating func settle(at time: Timestamp, _ tell: Tell) {
    if target == 0 { silence(at: time, tell) }
    guard hasLate, state == .running, time >= ready else { return }
    ready = time.advanced(byNanoseconds: settings.shortestInterval)
    if let intensity = waiting {
      waiting = nil
      if let impact = HapticImpact(intensity: intensity) {
        idleSince = time
        tell(.impact(impact, savesPower: false))
      }
    } else {
      strength = target
      tell(.output(strength))
    }
  }

  private mutating func silence(at time: Timestamp, _ tell: Tell) {
    guard strength != 0 else { return }
    strength = 0
    idleSince = time
    tell(.output(0))
  }

  /// One medium impact of the system's generator, which needs no engine of ours.
  private mutating func savePower(at time: Timestamp, _ tell: Tell) {
    guard supportsHaptics else { return tell(.silent(.unsupported)) }
    for _ in 0..<rules.impactsToSavePower { tell(.impact(.medium, savesPower: true)) }
  }
}
