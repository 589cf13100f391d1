import TelecapConformance
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapTele

/// A phone's haptic engine with its manager as a system under test: correct, or with one fault.
struct HapticsDevice: Device {
  private let fault: HapticsFault?
  private let supportsHaptics: Bool
  private let seed: UInt64
  private var engine: HapticEngine
  private let managerRules: ManagerPattern.Rules
  /// The manager's patterns by their names.
  private var patterns: [String: ManagerPattern] = [:]
  /// Whether the events of the playing pattern are reported.
  private var tellsEvents = false
  private(set) var broke: String?

  init(supportsHaptics: Bool, seed: UInt64, _ fault: HapticsFault? = nil) {
    self.fault = fault
    self.seed = seed
    self.supportsHaptics = supportsHaptics
    var settings = HapticEngine.Settings()
    settings.supportsHaptics = supportsHaptics
    var engineRules = HapticEngine.Rules()
    var managerRules = ManagerPattern.Rules()
    fault?.change(&engineRules)
    fault?.change(&managerRules)
    engine = HapticEngine(settings, rules: engineRules)
    self.managerRules = managerRules
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
    case .suffer(let trouble): act(perform) { $0.suffer(trouble, at: time, $1) }
    case .conditions(let conditions): act(perform) { $0.change(conditions, at: time, $1) }
    case .synchronise(let device, let delta, let trials): synchronise(device, delta, trials, perform)
    case .read, .sample: break
    }
    return []
  }

  private mutating func play(_ pattern: ManagerPattern, at time: Timestamp, _ perform: Perform) {
    patterns[pattern.name] = pattern
    let duration = pattern.duration(by: managerRules)
    act(perform) { engine, tell in
      engine.load(pattern.name, lasting: duration, tell)
      engine.play(pattern.name, at: time, tell)
    }
  }

  private func synchronise(_ device: SyncDevice, _ delta: Nanoseconds, _ trials: Int, _ perform: Perform) {
    var device = device
    device.subtractsLatency = fault != .ignoresLatency
    let study = SyncStudy(device, trials: trials, seed: seed)
    let result = study.run(fault == .startsNow ? .naive : .future(delta: delta))
    tell(result.withinLimit, perform)
  }

  // MARK: - Output

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
    case .startFailed: tell("(start failed)", perform)
    case .stopped(let reason): tell("(stopped \(reason.rawValue))", perform)
    case .loaded(let name): tell("(loaded \(name))", perform)
    case .playing(let name):
      tell("playing \(name)", perform)
      guard tellsEvents else { return }
      for one in patterns[name]?.events(by: managerRules) ?? [] { tell(one.words, perform) }
    case .impact(let impact, let savesPower):
      tell("impact \(impact.rawValue)" + (savesPower ? " (to save power)" : ""), perform)
    case .output(let strength):
      perform(.event(.hapticApplied(strength)), RawSpan())
      tell("output \(DeviceWords.number(Double(strength)))", perform)
    case .silent(let reason): tell("(silent: \(reason.words))", perform)
    }
  }

  private func tell(_ words: String, _ perform: Perform) { perform(.event(.told(words)), RawSpan()) }
}

extension ManagerPattern.Event {
  /// `transient at 0s intensity 0.4 sharpness 0.2`.
  fileprivate var words: String {
    let length = duration.map { " for \(Interval(nanoseconds: $0))" } ?? ""
    return "\(duration == nil ? "transient" : "continuous") at \(Interval(nanoseconds: time))\(length) "
      + "intensity \(DeviceWords.number(Double(intensity))) sharpness \(DeviceWords.number(Double(sharpness)))"
  }
}
