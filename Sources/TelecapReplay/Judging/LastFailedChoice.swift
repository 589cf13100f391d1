import TelecapConformance
import TelecapText

/// The choice of `conform --last-failed` among scenarios.
public struct LastFailedChoice: Sendable {
  /// The scenarios to run.
  public let scenarios: [Scenario]
  /// Whether these are only failed ones.
  public let isRestricted: Bool
  /// A note about the choice and its reason, for stderr.
  public let note: String

  /// The scenarios that failed in the last run; all of them if it is unknown, or none of them failed.
  public init(of all: [Scenario], by file: LastFailedFile) {
    let failed: LastFailed
    do throws(LastFailedFile.Problem) {
      failed = try file.read()
    } catch {
      (scenarios, isRestricted, note) = (all, false, "--last-failed: \(error): all cases run")
      return
    }
    if let chosen = failed.chosen(of: all) {
      let count = Numbers.counted(chosen.count, "scenario")
      (scenarios, isRestricted, note) = (chosen, true, "--last-failed: only the failed cases of \(count) run")
    } else if failed.cases.isEmpty {
      (scenarios, isRestricted, note) = (all, false, "--last-failed: nothing failed in the last run: all cases run")
    } else {
      let note = "--last-failed: no chosen scenario failed in the last run: all chosen cases run"
      (scenarios, isRestricted, self.note) = (all, false, note)
    }
  }
}
