import CSockets

/// SIGHUP as a request to read a file anew, as long-running programs take it, and not to end.
public struct HangUps: Sendable {
  /// From now on SIGHUP is only counted; SIGINT and SIGTERM raise `StopFlag.signals`. For as long as the process lives.
  public init() {
    // Takes SIGHUP as well, so that it comes first.
    _ = StopFlag.signals
    telecap_hangups_begin()
  }

  /// How many came since the first time that they were counted.
  public var count: Int { Int(telecap_hangups()) }
}
