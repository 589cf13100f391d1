import TelecapText

/// A regular expression whose named groups are the fields of an event: how a program that prints text is read.
public struct LinePattern: Hashable, Sendable {
  /// The expression, in the syntax of Swift: `^pose (?<x>\S+) (?<y>\S+)$`.
  public let text: String

  /// Checks that it is one.
  /// - Throws: what is wrong with the expression.
  public init(_ text: String) throws {
    _ = try Regex(text)
    self.text = text
  }

  /// The expression, made ready; it was checked.
  func compiled() -> Regex<AnyRegexOutput>? { try? Regex(text) }
}

extension Regex<AnyRegexOutput> {
  /// The named groups of a line as an object of texts; nil for a line that it does not match.
  func object(of line: String) -> JSONNode? {
    guard let match = try? firstMatch(in: line) else { return nil }
    let members = match.output.compactMap { group in
      group.name.flatMap { name in group.substring.map { JSONMember(name, .string(String($0))) } }
    }
    return JSONNode(.object(members))
  }
}
