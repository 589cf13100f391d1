/// An error in the text of an impairment: the text, the problem, and the expected form.
public struct ImpairmentSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text as given.
  public var given: String
  /// The problem, to be read after the text: `is more than 100%`.
  public var problem: String
  /// The expected form: `a probability from 0% to 100%, such as 5% or 0.05`.
  public var expected: String

  /// An error with these parts.
  public init(_ given: String, _ problem: String, expected: String) {
    self.given = given
    self.problem = problem
    self.expected = expected
  }

  /// `"150%" is more than 100%; expected a probability from 0% to 100%, such as 5% or 0.05`.
  public var description: String { "\"\(given)\" \(problem); expected \(expected)" }
}
