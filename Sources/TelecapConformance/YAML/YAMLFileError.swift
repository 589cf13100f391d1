import TelecapText

/// What is wrong with a file that a person wrote: where, what, and what was probably meant.
public struct YAMLFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int
  /// What is wrong.
  public var problem: String

  /// An error at this place. What it quotes of a file may be all of it.
  public init(file: String, line: Int, column: Int, _ problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem.cut(to: 2_000)
  }

  /// `Scenarios/a.yaml:3:5: unknown key "sed" in step; did you mean "send"?`.
  public var description: String { "\(file):\(line):\(column): \(problem.printable)" }
}
