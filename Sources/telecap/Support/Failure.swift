import TelecapFiles
import TelecapReplay
import TelecapText

/// An error with everything that its reader needs: what went wrong and where, what to do, and the exit status.
struct Failure: Error, CustomStringConvertible {
  /// How the process ends.
  var status: ExitStatus
  /// What went wrong, and where (file, offset, field, line and column).
  var what: String
  /// What to do about it; empty when nothing can be said.
  var advice = ""

  init(_ status: ExitStatus, _ what: String, advice: String = "") {
    (self.status, self.what, self.advice) = (status, what, advice)
  }

  /// The failure that `error` is for a command; nil when it is none of ours.
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
