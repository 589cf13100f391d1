import TelecapConformance
import TelecapModels
import TelecapRecording

/// The result for a program that did not exit in time: it hung, or the machine was too late for a verdict.
enum ShutdownTimeout: Equatable {
  /// It hung.
  case hung(String)
  /// The machine was too busy for a verdict, in words.
  case unclear(String)

  /// The program did not exit within `limit` ns, with this lateness of the machine.
  init(past limit: Nanoseconds, lateness: RunLateness) {
    let words = "it did not end within \(limit / 1_000_000) ms"
    self =
      lateness.worst > WallClockRun.latest
      ? .unclear("\(words), and \(lateness.words)")
      : .hung("it hung: \(words)")
  }

  /// Adds it to the log of a run without another failure.
  func note(in log: inout RunLog) {
    guard log.broke == nil else { return }
    switch self {
    case .hung(let words): log.note(.broke(words), at: log.end)
    case .unclear(let words): log.tooLate = log.tooLate ?? words
    }
  }
}
