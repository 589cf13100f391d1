/// A plan that cannot be read: where, and what is wrong there.
public struct PlanSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The byte in the line, from 1.
  public var column: Int
  /// What is wrong and what is expected.
  public var problem: String

  /// An error at this place.
  public init(line: Int, column: Int, problem: String) {
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// `line 3, column 14: unknown key "verdit"; did you mean "verdict"?`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}
