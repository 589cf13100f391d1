/// The severity of a finding.
public enum Severity: UInt8, Sendable, Comparable, CaseIterable {
  /// Information; not an error of any side.
  case note = 0
  /// A violated rule: a value out of range, NaN, a reserved byte that is not 0.
  case warning = 1
  /// An invalid message, which a receiver drops.
  case error = 2

  /// `note`, `warning`, `error`.
  public var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// Whether `left` is less severe.
  public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}
