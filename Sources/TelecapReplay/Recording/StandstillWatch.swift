import TelecapRecording

/// Detects pauses of the process: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or the machine gave it no time.
struct StandstillWatch {
  private var last: Nanoseconds

  /// A shorter time without a look, in ns, is what a busy machine does.
  static let shortest: Nanoseconds = 1_000_000_000

  /// A watch of which the first look was at this time of a steady clock, in ns.
  init(at time: Nanoseconds) { last = time }

  /// How long the process stood still before this look, in ns; nil where it did not. To be called many times a second.
  mutating func look(at time: Nanoseconds) -> Nanoseconds? {
    let passed = time &- last
    last = time
    return passed >= StandstillWatch.shortest ? passed : nil
  }
}
