import TelecapText

/// Makes the regular expression for text lines of one form: it contains their common words, has a named group for each
/// value to read, and skips other differences.
struct PatternMaker {
  /// The value to read from a word.
  enum Slot {
    /// A number, or any other word.
    case value(String)
    /// One of these words.
    case oneOf([String], String)

    var name: String {
      switch self {
      case .value(let name), .oneOf(_, let name): name
      }
    }
  }

  private let lines: [LineWords]
  private let slots: [Int: Slot]

  /// - Parameters:
  ///   - lines: lines of one form with at least one word; at least one.
  ///   - slots: the values to read, by the index of the word.
  init(_ lines: [LineWords], reading slots: [Int: Slot]) {
    self.lines = lines
    self.slots = slots
  }

  /// The shortest expression that matches all lines `inside` and none `outside`; if there is none, that of the whole
  /// line.
  func pattern(matching inside: [String], butNot outside: [String]) -> (pattern: LinePattern?, confused: [String]) {
    var best: (pattern: LinePattern?, confused: [String]) = (nil, outside)
    // Try any word first, as it is easier to read; then a number, since words may be in its place too, as in the header
    // of a table.
    for text in [PatternMaker.any, PatternMaker.number].flatMap({ [part(start, $0), part(0, $0), whole($0)] }) {
      guard let pattern = try? LinePattern(text), let regex = pattern.compiled() else { continue }
      guard inside.allSatisfy({ regex.object(of: $0) != nil }) else { continue }
      let confused = outside.filter { regex.object(of: $0) != nil }
      if best.pattern == nil || confused.count < best.confused.count { best = (pattern, confused) }
      if confused.isEmpty { break }
    }
    return best
  }

  private var count: Int { lines[0].words.count }
  private var last: Int { slots.keys.max() ?? count - 1 }

  /// The first word that is constant or one of a few: the words before it are times or counts. The start of the line
  /// where no such word is before the first value.
  private var start: Int {
    let words = (0..<count).first { isConstant($0) || isOneOf($0) } ?? 0
    return words <= slots.keys.min() ?? count ? words : 0
  }

  private func isOneOf(_ place: Int) -> Bool {
    if case .oneOf? = slots[place] { true } else { false }
  }

  /// A word with a digit, or the day of a date, is constant only by chance.
  private func isConstant(_ place: Int) -> Bool {
    let word = lines[0].words[place]
    return slots[place] == nil && !word.contains(where: \.isNumber) && !PatternMaker.isOfDate(word)
      && lines.allSatisfy { $0.words[place] == word }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The formats of `date`, syslog and the clocks of most languages.
  private static func isOfDate(_ word: String) -> Bool { months.contains(word) || days.contains(word) }

  /// Whether any gap has two blanks.
  private var isPadded: Bool { lines.contains { $0.gaps.contains { $0.contains("  ") } } }

  private func isNumber(_ place: Int) -> Bool {
    place < count && lines.contains { Double($0.words[place]) != nil }
  }

  /// From a word to the last value, and to the end if only punctuation follows.
  private func part(_ start: Int, _ value: String) -> String {
    let isEnd = (last + 1..<count).allSatisfy(isConstant)
    // A unit directly after a value ends it.
    let glued = (last + 1..<count).prefix { place in lines.contains { $0.gaps[place].isEmpty } }.last ?? last
    let lead = start == 0 ? "^" + gap(0) : ""
    return lead + middle(start...(isEnd ? count - 1 : glued), value) + (isEnd ? end : "")
  }

  private func whole(_ value: String) -> String { "^" + gap(0) + middle(0...count - 1, value) + end }

  private var end: String { lines[0].isCut ? "" : gap(count) + "$" }

  private func middle(_ places: ClosedRange<Int>, _ value: String) -> String {
    places.map { place in (place == places.lowerBound ? "" : gap(place)) + word(place, value) }.joined()
  }

  private func word(_ place: Int, _ value: String) -> String {
    switch slots[place] {
    case .value(let name)?: "(?<\(name)>\(isMeasured(place) ? value : PatternMaker.any))"
    case .oneOf(let words, let name)?: "(?<\(name)>\(words.map(Escaping.pattern).joined(separator: "|")))"
    case nil: isConstant(place) ? Escaping.pattern(lines[0].words[place]) : PatternMaker.any
    }
  }

  /// A word, or a number in any notation: with a sign, an exponent, or `nan`.
  private static let any = #"[-+.\w]+"#
  /// A number only, also `nan` and `inf`.
  private static let number = #"[-+]?(?:[.\d][-+.\w]*|(?i:nan|inf)\w*)"#

  private func isMeasured(_ place: Int) -> Bool { lines.allSatisfy { Double($0.words[place]) != nil } }

  /// The expression for the text before a word. The number of blanks before a number may vary, as in padded columns.
  private func gap(_ place: Int) -> String {
    let first = lines[0].gaps[place]
    let isSame = lines.allSatisfy { $0.gaps[place] == first }
    let runs = LineWords.runs(of: first)
    return runs.enumerated().map { index, run in
      let mark = Escaping.pattern(String(run.character))
      if run.character.isWhitespace {
        let isColumn = isPadded && index == runs.count - 1 && isNumber(place)
        return isSame && !isColumn && !first.contains("  ") ? String(run.character) : " +"
      }
      let isBar = !isSame && run.count >= LineWords.shortestBar
      return isBar ? mark + "+" : String(repeating: mark, count: run.count)
    }.joined()
  }
}
