/// A syntax error in a plan, with its position.
public struct PlanSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// The problem and the expected text.
  public var problem: String

  /// An error at this position.
  public init(line: Int, column: Int, problem: String) {
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// `line 3, column 14: unknown key "verdit"; did you mean "verdict"?`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}
