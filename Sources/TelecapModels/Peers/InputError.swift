import TelecapText

/// What is wrong with text that a person gave.
public enum InputError: Error, Hashable, Sendable {
  /// The smallest force must be smaller than the largest, both finite.
  case badRange(minimum: Double, maximum: Double)
  /// Neither one column nor two.
  case columns(line: Int, count: Int)
  /// Text where a finite number belongs.
  case notANumber(line: Int, text: String)
  /// A time earlier than the one before.
  case timeRunsBack(line: Int)
  /// Nothing to play.
  case empty
}

extension InputError: CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  public var description: String {
    switch self {
    case .badRange(let minimum, let maximum): "the range \(minimum)…\(maximum) is empty: the first must be smaller"
    case .columns(let line, let count): "line \(line): \(count) columns; one (force) or two (seconds,force) are read"
    case .notANumber(let line, let text): "line \(line): \"\(text.cut(to: 60))\" is not a finite number"
    case .timeRunsBack(let line): "line \(line): its time is earlier than that of the line before"
    case .empty: "there is nothing in it to play"
    }
  }
}
