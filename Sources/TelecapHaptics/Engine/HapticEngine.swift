import TelecapRecording

/// The haptic engine of a phone as a state machine (HapticManager Documentation; Multisensory Architectures, The
/// CHHapticEngine Runtime). Time is an argument and only goes forward. No method throws or traps in any state.
///
/// Received strengths drive one continuous event, or impacts. There is no queue: the engine stores only the latest
/// strength, and plays it as soon as possible (semantics.md, Latest value wins).
public struct HapticEngine: Hashable, Sendable {
  /// The configuration of the engine.
  public struct Settings: Hashable, Sendable {
    /// Whether the device has haptics.
    public var supportsHaptics = true
    /// The time without playback after which it stops, in ns; nil for never.
    public var idleTimeout: Nanoseconds?
    /// Whether it stops at the end of playback.
    public var stopsWhenFinished = false
    /// Whether strengths become impacts instead of a continuous event.
    public var playsImpacts = false
    /// The minimum interval between two strengths that it accepts, in ns.
    public var shortestInterval: Nanoseconds = 0

    /// An engine on a device with haptics that never stops by itself.
    public init() {}
  }

  /// The rules of the engine. The defaults are correct (HapticManager; Multisensory Architectures, The CHHapticEngine
  /// Runtime; Thermal Throttling Mitigation; Battery Optimization); a mutant differs in one of them.
  public struct Rules: Hashable, Sendable {
    /// Whether it plays only on a device with haptics.
    public var checksSupport = true
    /// Whether it restarts when playback fails.
    public var restartsOnFailure = true
    /// Whether it restarts after a reset.
    public var restartsOnReset = true
    /// Whether its patterns remain after a reset.
    public var keepsPatterns = true
    /// Whether it obeys the thermal state.
    public var obeysHeat = true
    /// Whether it obeys low-power mode.
    public var obeysLowPower = true
    /// The number of impacts in place of a pattern in low-power mode.
    public var impactsToSavePower = 1

    /// The correct rules.
    public init() {}
  }

  /// The state of the engine.
  public enum State: Hashable, Sendable {
    /// There is no engine.
    case unprepared
    /// It was created but did not start.
    case prepared
    /// It plays.
    case running
    /// It has stopped.
    case stopped(EngineStop)
  }

  /// Receives events, in order.
  public typealias Tell = (EngineEvent) -> Void

  /// The configuration.
  public let settings: Settings
  private let rules: Rules
  /// The state of the engine.
  public private(set) var state = State.unprepared
  /// The strength of its continuous event, 0…1.
  public private(set) var strength: Float = 0
  /// Heat and power.
  public private(set) var conditions = DeviceConditions()
  /// The loaded patterns with their lengths in ns. They remain in every state of the engine.
  public private(set) var patterns: [String: Nanoseconds] = [:]

  private var hasSession = false
  /// The latest requested strength.
  private var wanted: Float = 0
  /// The latest strength that is not yet played as an impact.
  private var waiting: Float?
  /// The time at which the engine accepts the next strength.
  private var ready = Timestamp(nanoseconds: .min)
  /// The end of the last pattern; nil if none plays.
  private var playsUntil: Timestamp?
  /// The time since which it has nothing to play.
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

  /// The time at which `advance` has to be called next.
  public var nextWake: Timestamp? {
    [playsUntil, idleDeadline, hasLate ? ready : nil].compactMap { $0 }.min()
  }

  // MARK: - Calls of the application

  /// Creates and starts the engine if the device has haptics.
  public mutating func prepare(at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    guard supportsHaptics else { return tell(.silent(.unsupported)) }
    if state == .unprepared { state = .prepared }
    _ = start(at: time, tell)
  }

  /// Loads a pattern of this length in ns; a loaded one is not read again.
  public mutating func load(_ name: String, lasting duration: Nanoseconds, _ tell: Tell) {
    guard patterns[name] == nil else { return }
    patterns[name] = max(0, duration)
    tell(.loaded(name))
  }

  /// Plays a loaded pattern: unchanged, as one medium impact, or not at all.
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
        // A late pattern feels wrong, so do not repeat this one; restart the engine for the next.
        if rules.restartsOnFailure { restart(at: time, tell) } else { stayDown(at: time, tell) }
        return tell(.silent(.playFailed))
      }
      tell(.playing(name))
      playsUntil = max(playsUntil ?? time, time.advanced(byNanoseconds: duration))
      advance(to: time, tell)
    }
  }

  /// Applies a received strength: NaN is 0, others are clamped to 0…1; the latest wins.
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

  /// The host answered OK: HAPTIC has effect from now on.
  public mutating func openSession(at time: Timestamp, _ tell: Tell) {
    advance(to: time, tell)
    hasSession = true
  }

  /// The session is lost. It must not leave a motor on (semantics.md, on silence).
  public mutating func loseSession(at time: Timestamp, _ tell: Tell) {
    hasSession = false
    wanted = 0
    waiting = nil
    advance(to: time, tell)
    silence(at: time, tell)
  }

  /// The thermal state or low-power mode changed.
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

  // MARK: - Faults and time

  /// Applies a fault, or the end of one.
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

  /// Advances time: plays the latest strength, ends playback that is over, and stops an idle engine.
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

  /// Whether it is stopped without a lasting cause.
  private var mayStart: Bool { state != .running && state != .unprepared && holds.isEmpty }

  /// Makes sure that the engine runs; otherwise reports the reason for silence.
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

  /// Stops the engine and keeps it stopped.
  private mutating func stayDown(at time: Timestamp, _ tell: Tell) {
    stop(.systemError, at: time, tell)
    holds.insert(.systemError)
  }

  /// Restarts an engine that was created, unless an interruption lasts.
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
  /// The strength that the continuous event should have now.
  private var target: Float {
    state == .running && conditions.haptics == .asIs && !settings.playsImpacts ? wanted : 0
  }

  /// Whether a strength waits for the engine.
  private var hasLate: Bool { target != strength || waiting != nil }

  /// Plays the latest strength if the engine accepts one now. It accepts a stop at any time.
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

  /// Plays one medium impact with the system's generator, which does not need our engine.
  private mutating func savePower(at time: Timestamp, _ tell: Tell) {
    guard supportsHaptics else { return tell(.silent(.unsupported)) }
    for _ in 0..<rules.impactsToSavePower { tell(.impact(.medium, savesPower: true)) }
  }
}
