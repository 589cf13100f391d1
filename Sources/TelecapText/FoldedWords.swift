extension String {
  /// Lines in which words of the command line hold no end of line: what is named in a message stays in its line, and begins none of
  /// its own. Elsewhere an end of line is ours.
  public var unfolded: String { unfolded(CommandLine.folded) }

  /// The same for these words, each before its parts.
  func unfolded(_ words: [String]) -> String { words.reduce(self) { $0.replacing($1, with: $1.printable) } }

  /// It, what stands in it as an option's or a relay's value, the file's name and that without its ending, as far as they hold an end
  /// of line with something behind it; the longest first.
  var foldedParts: [String] {
    let value = split(separator: "=", maxSplits: 1).last.map(String.init) ?? self
    let name = value.split(separator: "/").last.map(String.init) ?? value
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return [self, value, name, stem].filter { $0.dropLast().contains { $0.isNewline } }
  }
}

extension CommandLine {
  /// The words that hold an end of line, and their parts. Read once: a process has one command line.
  fileprivate static let folded = arguments.dropFirst().flatMap(\.foldedParts).sorted { $0.count > $1.count }
}
