extension StringProtocol {
  /// The lines without their ends, found lazily, so that the lines of a large text are not all in memory.
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
  /// The first scalars of the text for an error message, with `…` if it was truncated.
  public func cut(to count: Int) -> String {
    let start = unicodeScalars.prefix(count)
    return String(String.UnicodeScalarView(start)) + (start.endIndex == endIndex ? "" : "…")
  }
}
