import TelecapRecording

/// Why a haptic engine stopped (CHHapticEngine.StoppedReason).
public enum EngineStop: String, Sendable, CaseIterable {
  /// The audio session was interrupted, by a call perhaps.
  case audioSessionInterrupted = "audio-session-interrupted"
  /// The application went to the background.
  case applicationSuspended = "application-suspended"
  /// Nothing was played for as long as was allowed.
  case idleTimeout = "idle-timeout"
  /// What was played has ended, and the engine was asked to stop then.
  case notifyWhenFinished = "notify-when-finished"
  /// The haptic server failed.
  case systemError = "system-error"

  /// Whether the engine cannot be started until the cause is over.
  public var lasts: Bool { self == .audioSessionInterrupted || self == .applicationSuspended }
}

/// What can go wrong with a haptic engine, at any time.
public enum EngineFault: Hashable, Sendable {
  /// It stops.
  case stop(EngineStop)
  /// An interruption is over, or the application is back.
  case over(EngineStop)
  /// The haptic server comes back after a failure: the reset handler is called.
  case reset
  /// Its next start fails.
  case startFails
  /// The next pattern fails to play.
  case playFails
}

/// Why nothing is played.
public enum EngineSilence: Hashable, Sendable {
  /// The device has no haptics.
  case unsupported
  /// There is no engine yet.
  case unprepared
  /// The engine stands still, and its cause lasts.
  case stopped(EngineStop)
  /// It did not start.
  case startFailed
  /// The pattern failed; the engine was restarted.
  case playFailed
  /// No pattern of that name was loaded.
  case notLoaded
  /// HAPTIC counts within a session only.
  case noSession
  /// The device is this hot.
  case thermal(ThermalState)
}

/// What a haptic engine tells.
public enum EngineEvent: Hashable, Sendable {
  /// It runs.
  case started
  /// It could not be started.
  case startFailed
  /// It stands still.
  case stopped(EngineStop)
  /// A pattern was read and is kept.
  case loaded(String)
  /// A pattern begins.
  case playing(String)
  /// An impact is played; when it stands for what a saving device does not play, `savesPower`.
  case impact(HapticImpact, savesPower: Bool)
  /// The continuous event goes on at this strength, 0…1; 0 stops it.
  case output(Float)
  /// Something was to be played and is not.
  case silent(EngineSilence)
}

extension EngineSilence {
  /// Why, in words.
  public var words: String {
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
