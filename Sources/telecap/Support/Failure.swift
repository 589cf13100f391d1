import TelecapFiles
import TelecapReplay
import TelecapText

/// An error with all that a user needs: the problem and its location, the advice, and the exit status.
struct Failure: Error, CustomStringConvertible {
  /// The exit status of the process.
  var status: ExitStatus
  /// The problem and its location (file, offset, field, line and column).
  var what: String
  /// The advice; empty if there is none.
  var advice = ""

  init(_ status: ExitStatus, _ what: String, advice: String = "") {
    (self.status, self.what, self.advice) = (status, what, advice)
  }

  /// The failure of a command for `error`; nil for errors of other libraries.
  init?(_ error: any Error) {
    if let failure = error as? Failure {
      self = failure
    } else if let damage = error as? Damage {
      self.init(damage.reason)
    } else if let status = ExitStatus(of: error) {
      self.init(status, "\(error)", advice: (error as? any Advising)?.advice ?? "")
    } else {
      return nil
    }
  }

  var description: String { advice.isEmpty ? what : "\(what)\n  \(advice)" }
}
