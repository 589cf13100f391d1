import TelecapConformance
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// A phone's haptic engine with its manager as a system under test: right, or wrong in one way.
struct HapticsDevice: Device {
  private let fault: HapticsFault?
  private let supportsHaptics: Bool
  private let seed: UInt64
  private var engine: HapticEngine
  /// The manager's patterns by their names.
  private var patterns: [String: ManagerPattern] = [:]
  private var savesPower = false
  /// The events of the pattern that plays are told.
  private var tellsEvents = false
  private(set) var broke: String?

  init(supportsHaptics: Bool, seed: UInt64, _ fault: HapticsFault? = nil) {
    self.fault = fault
    self.seed = seed
    self.supportsHaptics = supportsHaptics
    var settings = HapticEngine.Settings()
    settings.supportsHaptics = supportsHaptics || fault == .playsUnsupported
    engine = HapticEngine(settings)
  }

  var nextWake: Timestamp? { engine.nextWake }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    act(perform) { engine, tell in engine.advance(to: time, tell) }
  }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    guard let action = action as? HapticsAction else { return [] }
    if fault == .crashesUnsupported, !supportsHaptics {
      broke = "crashed: CHHapticError.notSupported was not caught"
      return []
    }
    switch action {
    case .prepare: act(perform) { $0.prepare(at: time, $1) }
    case .play(let pattern, let tellsEvents):
      self.tellsEvents = tellsEvents
      play(pattern, at: time, perform)
    case .strength(let intensity): act(perform) { $0.drive(intensity, at: time, $1) }
    case .session(let isOpen):
      act(perform) { isOpen ? $0.openSession(at: time, $1) : $0.loseSession(at: time, $1) }
    case .suffer(let trouble): suffer(trouble, at: time, perform)
    case .conditions(let conditions): change(conditions, at: time, perform)
    case .synchronise(let device, let delta, let trials): synchronise(device, delta, trials, perform)
    case .read, .sample: break
    }
    return []
  }

  // MARK: - Patterns

  private mutating func play(_ pattern: ManagerPattern, at time: Timestamp, _ perform: Perform) {
    let pattern = asked(pattern)
    patterns[pattern.name] = pattern
    if savesPower, fault == .lowPowerThreeImpacts {
      for _ in 0..<3 { tell("impact medium to save power", perform) }
      return
    }
    act(perform) { engine, tell in
      engine.load(pattern.name, lasting: pattern.duration, tell)
      engine.play(pattern.name, at: time, tell)
    }
  }

  /// What the manager takes a call for.
  private func asked(_ pattern: ManagerPattern) -> ManagerPattern {
    guard fault == .multiBorder, case .multi(let frequency, let amplitude) = pattern,
      frequency == ManagerPattern.lowFrequency
    else { return pattern }
    return .multi(frequency: frequency.nextUp, amplitude: amplitude)
  }

  private func events(of pattern: ManagerPattern) -> [ManagerPattern.Event] {
    let events = pattern.events
    switch (fault, pattern) {
    case (.normalTooStrong, .normal): return events.map { $0.changed { $0.intensity = 0.5 } }
    case (.gradualLinear, .gradual):
      return events.map { event in
        event.changed { $0.intensity = Float($0.time) / Float(pattern.duration) }
      }
    case (.gradualShort, .gradual): return Array(events.prefix(12))
    case (.heavyGrows, .heavy):
      return zip(events, events.reversed()).map { event, other in event.changed { $0.intensity = other.intensity } }
    default: return events
    }
  }

  // MARK: - Trouble

  private mutating func suffer(_ trouble: EngineFault, at time: Timestamp, _ perform: Perform) {
    switch (fault, trouble) {
    case (.noRestartOnReset, .reset): act(perform) { $0.suffer(.stop(.audioSessionInterrupted), at: time, $1) }
    case (.noRestartOnFailure, .playFails): act(perform) { $0.suffer(.stop(.applicationSuspended), at: time, $1) }
    case (.forgetsPatterns, .reset):
      var fresh = HapticEngine(engine.settings)
      act(perform) { engine, tell in
        engine.suffer(.reset, at: time, tell)
        fresh.prepare(at: time) { _ in }
        engine = fresh
      }
    default: act(perform) { $0.suffer(trouble, at: time, $1) }
    }
  }

  private mutating func change(_ conditions: DeviceConditions, at time: Timestamp, _ perform: Perform) {
    var taken = conditions
    savesPower = conditions.isLowPower
    if fault == .playsWhenSerious { taken.thermal = .nominal }
    if fault == .lowPowerPlays { taken.isLowPower = false }
    act(perform) { $0.change(taken, at: time, $1) }
  }

  // MARK: - Clocks

  private func synchronise(_ device: SyncDevice, _ delta: Int64, _ trials: Int, _ perform: Perform) {
    let study = SyncStudy(device, trials: trials, seed: seed)
    let strategy = fault == .startsNow ? SyncStrategy.naive : .future(delta: delta)
    let within = (0..<study.trials).count { trial in
      var starts = device.starts(strategy, trial: trial, draws: study.draws)
      if fault == .ignoresLatency {
        starts.audio += device.audio.latency
        starts.haptic += device.haptic.latency
      }
      return starts.skew <= SyncStudy.limit
    }
    tell("within 3 frames in \(within) of \(study.trials) trials", perform)
  }

  // MARK: - Telling

  private mutating func act(
    _ perform: Perform, _ work: (inout HapticEngine, HapticEngine.Tell) -> Void
  ) {
    var told: [EngineEvent] = []
    work(&engine) { told.append($0) }
    for event in told { tell(event, perform) }
  }

  private func tell(_ event: EngineEvent, _ perform: Perform) {
    switch event {
    case .started: tell("started", perform)
    case .startFailed: tell("start failed", perform)
    case .stopped(let reason): tell("stopped \(reason.rawValue)", perform)
    case .loaded(let name): tell("loaded \(name)", perform)
    case .playing(let name):
      tell("playing \(name)", perform)
      guard tellsEvents else { return }
      for one in patterns[name].map(events) ?? [] { tell(one.words, perform) }
    case .impact(let impact, let savesPower):
      tell("impact \(impact.rawValue)" + (savesPower ? " to save power" : ""), perform)
    case .output(let strength):
      perform(.event(.hapticApplied(strength)), RawSpan())
      tell("output \(Told.number(Double(strength)))", perform)
    case .silent(let reason): tell("silent: \(reason.words)", perform)
    }
  }

  private func tell(_ words: String, _ perform: Perform) { perform(.event(.told(words)), RawSpan()) }
}

extension ManagerPattern.Event {
  /// `transient at 0s intensity 0.4 sharpness 0.2`.
  fileprivate var words: String {
    let length = duration.map { " for \(Interval(nanoseconds: $0))" } ?? ""
    return "\(duration == nil ? "transient" : "continuous") at \(Interval(nanoseconds: time))\(length) "
      + "intensity \(Told.number(Double(intensity))) sharpness \(Told.number(Double(sharpness)))"
  }

  fileprivate func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension EngineSilence {
  /// Why, in words.
  fileprivate var words: String {
    switch self {
    case .unsupported: "the device has no haptics"
    case .unprepared: "there is no engine"
    case .stopped(let reason): "the engine is stopped, \(reason.rawValue)"
    case .startFailed: "the engine did not start"
    case .playFailed: "the pattern failed"
    case .notLoaded: "no such pattern"
    case .noSession: "no session"
    case .thermal(let state): "thermal state \(state.rawValue)"
    }
  }
}
