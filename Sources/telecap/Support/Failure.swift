import TelecapRecording

/// How a command ends when it does not end well (sysexits.h).
enum ExitStatus: Int32 {
  /// All is well, though not all was wanted.
  case done = 0
  /// A check failed.
  case failed = 1
  /// The command line is wrong.
  case usage = 64
  /// The input is not what it should be.
  case data = 65
  /// There is no such input.
  case noInput = 66
  /// A service that is needed is not there.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case io = 74
  /// Not permitted.
  case notPermitted = 77
}

/// An error with everything that its reader needs: what went wrong and where, what to do, and the exit status.
struct Failure: Error, CustomStringConvertible {
  /// How the process ends.
  var status: ExitStatus
  /// What went wrong, and where (file, offset, field, line and column).
  var what: String
  /// What to do about it; empty when nothing can be said.
  var advice = ""

  init(_ status: ExitStatus, _ what: String, advice: String = "") {
    self.status = status
    self.what = what
    self.advice = advice
  }

  var description: String { advice.isEmpty ? what : "\(what)\n  \(advice)" }
}
