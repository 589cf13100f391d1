import TelecapRecording

/// The reason why a haptic engine stopped (CHHapticEngine.StoppedReason).
public enum EngineStop: String, Sendable, CaseIterable {
  /// The audio session was interrupted, for example by a call.
  case audioSessionInterrupted = "audio-session-interrupted"
  /// The application went to the background.
  case applicationSuspended = "application-suspended"
  /// The engine played nothing until its idle timeout.
  case idleTimeout = "idle-timeout"
  /// Playback ended, and the engine was configured to stop then.
  case notifyWhenFinished = "notify-when-finished"
  /// The haptic server failed.
  case systemError = "system-error"

  /// Whether the engine cannot start until the cause is over.
  public var lasts: Bool { self == .audioSessionInterrupted || self == .applicationSuspended }
}

/// A fault of a haptic engine, which may occur at any time.
public enum EngineFault: Hashable, Sendable {
  /// The engine stops.
  case stop(EngineStop)
  /// An interruption is over, or the application is in the foreground again.
  case over(EngineStop)
  /// The haptic server is back after a failure, and the reset handler is called.
  case reset
  /// The next start fails.
  case startFails
  /// The next pattern fails to play.
  case playFails
}

/// The reason for silence.
public enum EngineSilence: Hashable, Sendable {
  /// The device has no haptics.
  case unsupported
  /// There is no engine yet.
  case unprepared
  /// The engine is stopped, and the cause is not over.
  case stopped(EngineStop)
  /// The engine did not start.
  case startFailed
  /// The pattern failed, and the engine was restarted.
  case playFailed
  /// No pattern of that name is loaded.
  case notLoaded
  /// HAPTIC has effect only within a session.
  case noSession
  /// The device is this hot.
  case thermal(ThermalState)
}

/// An event of a haptic engine.
public enum EngineEvent: Hashable, Sendable {
  /// The engine runs.
  case started
  /// The engine could not be started.
  case startFailed
  /// The engine stopped.
  case stopped(EngineStop)
  /// A pattern was loaded.
  case loaded(String)
  /// A pattern starts.
  case playing(String)
  /// An impact is played. If it replaces a pattern to save power, `savesPower` is true.
  case impact(HapticImpact, savesPower: Bool)
  /// The continuous event continues at this strength, 0…1; 0 stops it.
  case output(Float)
  /// Output was requested, but nothing is played.
  case silent(EngineSilence)
}

extension EngineSilence {
  /// The reason in words.
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
