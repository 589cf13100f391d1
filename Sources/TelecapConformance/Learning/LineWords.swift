/// A line of text in words and numbers, and what stands between them: `moved to (0.1, -2)` has the words `moved`, `to`, `0.1`
/// and `-2`. A unit behind a number is a word of its own.
struct LineWords: Hashable {
  /// The words and numbers.
  private(set) var words: [String] = []
  /// What stands before each and behind the last.
  private(set) var gaps: [String] = [""]

  init(_ line: String) {
    var run = ""
    for character in line {
      if LineWords.isOfWord(character) {
        run.append(character)
      } else {
        take(&run)
        gaps[gaps.count - 1].append(character)
      }
    }
    take(&run)
  }

  /// What lines of one form share: what stands between their words, whatever its width.
  var form: String {
    let marks = gaps.map { gap in
      gap.reduce(into: "") { text, character in
        if !character.isWhitespace { text.append(character) } else if text.last != " " { text.append(" ") }
      }
    }
    // The number of words, too: a line may hold any character.
    return "\(words.count) \(marks.joined(separator: "\u{0}"))"
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.+-%°".contains(character)
  }

  /// Adds a run of letters, digits and signs: marks at its ends are no part of the word, but for the sign of a number.
  private mutating func take(_ run: inout String) {
    defer { run = "" }
    var rest = run[...]
    while let first = rest.first, "+-.%°".contains(first), Double(rest) == nil,
      !(rest.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false) || first == "%" || first == "°"
    {
      gaps[gaps.count - 1].append(rest.removeFirst())
    }
    let tail = rest.reversed().prefix { "+-.".contains($0) }
    let word = rest.dropLast(tail.count)
    if !word.isEmpty { add(word) }
    gaps[gaps.count - 1] += String(tail.reversed())
  }

  private mutating func add(_ word: Substring) {
    let number = word.prefix { $0.isNumber || "+-.".contains($0) }
    let unit = word.dropFirst(number.count)
    let isMeasure = Double(word) == nil && Double(number) != nil && unit.allSatisfy { $0.isLetter || "%°".contains($0) }
    for part in isMeasure ? [number, unit] : [word] where !part.isEmpty {
      words.append(String(part))
      gaps.append("")
    }
  }
}
