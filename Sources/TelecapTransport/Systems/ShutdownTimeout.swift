import TelecapConformance
import TelecapModels
import TelecapRecording

/// What is said of a program that did not end in its time: that it hung, or on a machine that was too late itself, nothing.
enum ShutdownTimeout: Equatable {
  /// It hung.
  case hung(String)
  /// The machine was too busy to tell, in words.
  case unclear(String)

  /// It did not end within `limit` ns, while the machine was so late at worst.
  init(past limit: Nanoseconds, lateness: RunLateness) {
    let words = "it did not end within \(limit / 1_000_000) ms"
    self =
      lateness.worst > WallClockRun.latest
      ? .unclear("\(words), and \(lateness.words)")
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
