/// Words that were meant to describe an impairment and do not: what was given, what is wrong with it, what is expected.
public struct ImpairmentSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text as it was given.
  public var given: String
  /// What is wrong, to be read after the text: `is more than 100%`.
  public var problem: String
  /// What would have been right: `a probability from 0% to 100%, such as 5% or 0.05`.
  public var expected: String

  /// An error of these three parts.
  public init(_ given: String, _ problem: String, expected: String) {
    self.given = given
    self.problem = problem
    self.expected = expected
  }

  /// `"150%" is more than 100%; expected a probability from 0% to 100%, such as 5% or 0.05`.
  public var description: String { "\"\(given)\" \(problem); expected \(expected)" }
}
