import TelecapRecording

/// Detects pauses of the process: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or starved by the machine.
struct StandstillWatch {
  private var last: Nanoseconds

  /// The minimum reported pause in ns; a busy machine causes shorter ones.
  static let shortest: Nanoseconds = 1_000_000_000

  /// A watch whose first call was at this time of a steady clock, in ns.
  init(at time: Nanoseconds) { last = time }

  /// The pause of the process before this call, in ns; nil without one. Call it many times a second.
  mutating func look(at time: Nanoseconds) -> Nanoseconds? {
    let passed = time &- last
    last = time
    return passed >= StandstillWatch.shortest ? passed : nil
  }
}
