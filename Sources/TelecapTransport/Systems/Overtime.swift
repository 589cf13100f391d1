import TelecapConformance
import TelecapRecording

/// What is said of a program that did not end in its time: that it hung, or on a machine that was too late itself, nothing.
enum Overtime: Equatable {
  /// It hung.
  case hung(String)
  /// The machine was too busy to tell, in words.
  case unclear(String)

  /// It did not end within `limit` ns, while the machine woke up so late at worst, in ns.
  init(past limit: Nanoseconds, lateness: Nanoseconds) {
    let words = "it did not end within \(limit / 1_000_000) ms"
    self =
      lateness > WallClockRun.latest
      ? .unclear("\(words), and this machine woke up to \(lateness / 1_000_000) ms late: it is too busy to judge by")
      : .hung("it hung: \(words)")
  }

  /// Notes it in the log of a run that nothing else broke.
  func note(in log: inout RunLog) {
    guard log.broke == nil else { return }
    switch self {
    case .hung(let words): log.note(.broke(words), at: log.end)
    case .unclear(let words): log.tooLate = log.tooLate ?? words
    }
  }
}
