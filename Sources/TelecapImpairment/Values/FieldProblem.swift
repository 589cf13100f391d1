/// The reason why a field cannot have a value.
public struct FieldProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, as a sentence.
  public var description: String

  /// A problem with this text.
  public init(_ description: String) { self.description = description }
}
