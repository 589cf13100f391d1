/// Finds bytes that are read or written at a place written as a number: `bytes[4]`, `message[12..<16]`,
/// `payload.dropFirst(12)`. A protocol's tables know its places; nobody else does.
enum LiteralPlaces {
  /// Names that hold the bytes of a message.
  private static let holders = "(?:bytes|message|payload|packet|datagram|header|body|span)"

  /// The lines of a source that do so, from 1, each with what was found.
  static func found(in source: String) throws -> [String] {
    let subscripted = try Regex("\\b\(holders)\\[[0-9][0-9a-fx_]*(?:\\.{2}[.<][0-9a-fx_]*)?\\]")
    let cut = try Regex("\\b\(holders)\\.(?:dropFirst|prefix|suffix|extracting)\\((?:first: )?[0-9][0-9.<]*\\)")
    // By default a point between letters ends no word (UAX 29).
    let patterns = [subscripted, cut].map { $0.wordBoundaryKind(.simple) }
    return source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      number, line -> [String] in
      // Most lines have no number, and patterns are slow.
      guard line.utf8.contains(where: { (48...57).contains($0) }) else { return [] }
      let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
      return patterns.flatMap { code.matches(of: $0) }.map { "\(number + 1): \(code[$0.range])" }
    }
  }
}
