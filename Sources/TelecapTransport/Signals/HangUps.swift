import CSockets

/// SIGHUP as a request to read a file again, as in other long-running programs, instead of ending.
public struct HangUps: Sendable {
  /// From now on SIGHUP is only counted; SIGINT and SIGTERM raise `StopFlag.signals`. This lasts as long as the
  /// process.
  public init() {
    // This handles SIGHUP too, so it must come first.
    _ = StopFlag.signals
    telecap_hangups_begin()
  }

  /// The number of signals since the first initialisation.
  public var count: Int { Int(telecap_hangups()) }
}
