import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// An action on a device: on a player of patterns, or on a haptic engine.
package enum HapticsAction: UserAction, Hashable {
  /// Reads the text of an AHAP pattern.
  case read(String)
  /// Samples the pattern's output now.
  case sample
  /// Creates and starts the haptic engine.
  case prepare
  /// Plays one of the manager's patterns; with `tellsEvents` its events are reported too.
  case play(ManagerPattern, tellsEvents: Bool)
  /// Applies a strength from a message.
  case strength(Float)
  /// Opens the session, or closes it.
  case session(isOpen: Bool)
  /// Starts or ends a fault of the engine.
  case suffer(EngineFault)
  /// Sets the temperature and the battery state of the device.
  case conditions(DeviceConditions)
  /// Shows, sounds and plays an event at once in this number of trials, each planned `delta` ns ahead.
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
  /// Its name in the manager.
  package var name: String {
    switch self {
    case .normal: "normal"
    case .multi: "multi"
    case .gradual: "gradual"
    case .heavy: "heavy"
    }
  }
}
