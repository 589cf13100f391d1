extension StringProtocol {
  /// The lines without their ends, each found as it is asked for: those of a large text do not lie in memory beside it.
  @inlinable public var lines: some Sequence<SubSequence> {
    sequence(state: Optional(self[...])) { rest -> SubSequence? in
      guard let text = rest else { return nil }
      let end = text.firstIndex(where: \.isNewline)
      rest = end.map { text[text.index(after: $0)...] }
      return text[..<(end ?? text.endIndex)]
    }
  }
}

extension StringProtocol {
  /// As much of it as a person reads in an error: so many scalars, and `…` where more follow.
  public func cut(to count: Int) -> String {
    let start = unicodeScalars.prefix(count)
    return String(String.UnicodeScalarView(start)) + (start.endIndex == endIndex ? "" : "…")
  }
}
