extension String {
  /// Lines in which line breaks from words of the command line are escaped, so that such a word cannot start a line of
  /// its own. Our own line breaks stay.
  public var unfolded: String { unfolded(CommandLine.folded) }

  /// The same for these words, which must come before their parts.
  func unfolded(_ words: [String]) -> String { words.reduce(self) { $0.replacing($1, with: $1.printable) } }

  /// The word, its value as an option or a relay, its file name, and that name without its extension, if they contain a
  /// line break before their end; the longest first.
  var foldedParts: [String] {
    let value = split(separator: "=", maxSplits: 1).last.map(String.init) ?? self
    let name = value.split(separator: "/").last.map(String.init) ?? value
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return [self, value, name, stem].filter { $0.dropLast().contains { $0.isNewline } }
  }
}

extension CommandLine {
  /// The words with line breaks, and their parts. Computed once, because a process has one command line.
  fileprivate static let folded = arguments.dropFirst().flatMap(\.foldedParts).sorted { $0.count > $1.count }
}
