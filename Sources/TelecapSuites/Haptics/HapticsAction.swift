import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// What is done to a device: to a player of patterns, or to a haptic engine.
package enum HapticsAction: UserAction, Hashable {
  /// It is given the text of an AHAP pattern.
  case read(String)
  /// What is felt of the pattern now?
  case sample
  /// The haptic engine is made and started.
  case prepare
  /// The manager plays one of its patterns; its events are told too where `tellsEvents`.
  case play(ManagerPattern, tellsEvents: Bool)
  /// A strength comes, as it stood on the wire.
  case strength(Float)
  /// The session begins, or is lost.
  case session(isOpen: Bool)
  /// Something goes wrong with the engine, or is over.
  case suffer(EngineFault)
  /// The device is as hot, and its battery as low, as this.
  case conditions(DeviceConditions)
  /// An event is to be seen, heard and felt at once, so many times, each planned so many ns ahead.
  case synchronise(SyncDevice, delta: Nanoseconds, trials: Int)

  package var isRandom: Bool {
    if case .synchronise = self { return true }
    return false
  }

  package var words: String {
    switch self {
    case .read(let text): "read a pattern of \(text.utf8.count) bytes"
    case .sample: "sample"
    case .prepare: "prepare"
    case .play(let pattern, _): "play \(pattern.name)"
    case .strength(let intensity): "strength \(intensity)"
    case .session(let isOpen): isOpen ? "session opens" : "session is lost"
    case .suffer(let fault): "fault \(fault)"
    case .conditions(let conditions):
      "thermal \(conditions.thermal.rawValue)" + (conditions.isLowPower ? ", low power" : "")
    case .synchronise(_, let delta, let trials): "synchronise \(trials) times, \(delta) ns ahead"
    }
  }
}

extension ManagerPattern {
  /// What the manager calls it.
  package var name: String {
    switch self {
    case .normal: "normal"
    case .multi: "multi"
    case .gradual: "gradual"
    case .heavy: "heavy"
    }
  }
}
