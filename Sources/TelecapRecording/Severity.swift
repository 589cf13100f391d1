/// How bad a finding is.
public enum Severity: UInt8, Sendable, Comparable, CaseIterable {
  /// Worth knowing; nobody did anything wrong.
  case note = 0
  /// A rule is broken: a value out of range, not a number, a reserved byte that is not 0.
  case warning = 1
  /// This is no valid message: a receiver drops it.
  case error = 2

  /// `note`, `warning`, `error`.
  public var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// Whether `left` is milder.
  public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}
