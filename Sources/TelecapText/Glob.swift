/// A shell pattern: `*` matches any characters, `?` one, `[a-z]` one of these.
public struct Glob: Hashable, Sendable {
  private let pattern: [Character]

  /// A pattern; every text is valid.
  public init(_ pattern: String) { self.pattern = Array(pattern) }

  /// Whether the pattern matches the whole of `text`.
  public func matches(_ text: String) -> Bool { Glob.matches(pattern[...], Array(text)[...]) }

  private static func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*":
      let rest = pattern.drop { $0 == "*" }
      return text.indices.contains { matches(rest, text[$0...]) } || matches(rest, text[text.endIndex...])
    case "?": return !text.isEmpty && matches(pattern.dropFirst(), text.dropFirst())
    case "[":
      guard let end = pattern.firstIndex(of: "]"), let character = text.first else { return false }
      return contains(pattern[(pattern.startIndex + 1)..<end], character)
        && matches(pattern[(end + 1)...], text.dropFirst())
    default: return text.first == first && matches(pattern.dropFirst(), text.dropFirst())
    }
  }

  private static func contains(_ set: ArraySlice<Character>, _ character: Character) -> Bool {
    var rest = set
    while let low = rest.popFirst() {
      if rest.first == "-", let high = rest.dropFirst().first {
        if low <= character, character <= high { return true }
        rest = rest.dropFirst(2)
      } else if low == character {
        return true
      }
    }
    return false
  }
}
