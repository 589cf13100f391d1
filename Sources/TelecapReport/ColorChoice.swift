/// Whether output is coloured: the values of `--color`, and the only place that decides.
public enum ColorChoice: String, CaseIterable, Sendable {
  /// Coloured on a terminal, unless the environment says otherwise.
  case auto
  /// Coloured anywhere.
  case always
  /// Never coloured.
  case never

  /// Whether output is coloured.
  ///
  /// In `auto`, `NO_COLOR` (no-color.org) turns colour off and `CLICOLOR_FORCE` (bixense.com/clicolors) turns it on, in
  /// this order; otherwise the output must be a terminal that is not `dumb`.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal.
  ///   - variable: returns the value of an environment variable; nil where it is unset.
  public func isColoured(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if variable("NO_COLOR").map({ !$0.isEmpty }) ?? false { return false }
      if variable("CLICOLOR_FORCE").map({ !$0.isEmpty && $0 != "0" }) ?? false { return true }
      return isTerminal && (variable("TERM").map { $0 != "dumb" } ?? false)
    }
  }
}
