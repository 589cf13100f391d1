/// A pattern of names: `*` stands for any characters, also for none and for `/`.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
  public let description: String
  private let pieces: [Substring]

  /// The pattern that is written like this.
  public init(_ text: String) {
    description = text
    pieces = text.split(separator: "*", omittingEmptySubsequences: false)
  }

  /// Whether a name is of this pattern.
  public func matches(_ name: String) -> Bool {
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return name == description }
    guard name.hasPrefix(first), name.hasSuffix(last), name.utf8.count >= first.utf8.count + last.utf8.count else {
      return false
    }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
