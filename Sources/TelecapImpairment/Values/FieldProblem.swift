/// Why a field cannot be given a value.
public struct FieldProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String

  /// A problem in these words.
  public init(_ description: String) { self.description = description }
}
