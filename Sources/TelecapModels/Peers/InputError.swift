import TelecapText

/// An error in text from the user.
public enum InputError: Error, Hashable, Sendable {
  /// The smallest force is not below the largest, or one of them is not finite.
  case badRange(minimum: Double, maximum: Double)
  /// The line has neither one column nor two.
  case columns(line: Int, count: Int)
  /// Text in place of a finite number.
  case notANumber(line: Int, text: String)
  /// A time earlier than the one before.
  case timeRunsBack(line: Int)
  /// The input has no samples.
  case empty
}

extension InputError: CustomStringConvertible {
  /// The problem, its line, and the expected form.
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
