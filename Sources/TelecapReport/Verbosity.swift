/// The amount of output of a command: the effect of `-q` and `-v`.
public enum Verbosity: Sendable, CaseIterable {
  /// Only failures, and the line of the verdict.
  case quiet
  /// Results.
  case normal
  /// Results with every pass, and the timing of sending.
  case verbose
}
