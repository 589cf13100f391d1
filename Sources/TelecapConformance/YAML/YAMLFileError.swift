import TelecapText

/// An error in a file that a person wrote: the position, the problem, and the probable meaning.
public struct YAMLFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int
  /// The problem.
  public var problem: String

  /// An error at this position. It may quote the whole file.
  public init(file: String, line: Int, column: Int, _ problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem.cut(to: 2_000)
  }

  /// `Scenarios/a.yaml:3:5: unknown key "sed" in step; did you mean "send"?`.
  public var description: String { "\(file):\(line):\(column): \(problem.printable)" }
}
