/// A line of text as words, numbers and the gaps between them: `moved to (0.1, -2)` has the words `moved`, `to`, `0.1`
/// and `-2`. A unit after a number is a separate word.
struct LineWords: Hashable {
  /// The words and numbers.
  private(set) var words: [String] = []
  /// The text before each word and after the last.
  private(set) var gaps: [String] = [""]
  /// Whether the line has more words than these.
  private(set) var isCut = false

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

  /// The form that lines share: the gaps between their words, with any width.
  var form: String {
    // Include the number of words, since a line may contain any character.
    "\(words.count) \(gaps.map(LineWords.narrowed).joined(separator: "\u{0}"))"
  }

  /// A gap without its width: blanks become one, and so do three or more equal marks, as in a bar or a rule.
  static func narrowed(_ gap: String) -> String {
    runs(of: gap).map { run in
      if run.character.isWhitespace { return " " }
      return String(repeating: run.character, count: run.count < shortestBar ? run.count : shortestBar)
    }.joined()
  }

  /// The minimum number of equal marks that are a bar of any length.
  static let shortestBar = 3

  /// The runs of one character in a gap; all kinds of blanks are equal.
  static func runs(of gap: String) -> [(character: Character, count: Int)] {
    gap.reduce(into: []) { runs, character in
      let isSame = runs.last.map { $0.character == character || $0.character.isWhitespace && character.isWhitespace }
      if isSame == true { runs[runs.count - 1].count += 1 } else { runs.append((character, 1)) }
    }
  }

  /// Whether two lines share the gaps and all words that are not numbers, up to this index.
  func begins(as other: LineWords, upTo place: Int) -> Bool {
    guard words.count > place, other.words.count > place else { return false }
    return (0...place).allSatisfy { index in
      LineWords.narrowed(gaps[index]) == LineWords.narrowed(other.gaps[index])
        && (words[index] == other.words[index] || Double(words[index]) != nil && Double(other.words[index]) != nil)
    }
  }

  /// The words up to an index, with the unit that follows directly.
  func cut(behind place: Int) -> LineWords {
    var cut = self
    let isGlued = words.count > place + 1 && gaps[place + 1].isEmpty
    cut.words = Array(words.prefix(place + (isGlued ? 2 : 1)))
    cut.gaps = gaps.prefix(cut.words.count) + [""]
    cut.isCut = true
    return cut
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.+-%°".contains(character)
  }

  /// Adds a run of letters, digits and signs without the marks at its ends, except the sign of a number.
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
