import TelecapText

/// Errors of libyaml in words for the author of the file: the position to change, and what to write there.
///
/// libyaml reports where it could not continue, often a line after the mistake: a key without a colon is found at the
/// next key.
struct YAMLSyntax {
  /// A position in the text, from 1; columns count Unicode scalars.
  struct Place: Equatable {
    var line: Int
    var column: Int
  }

  /// A position and its problem.
  struct Problem: Equatable {
    var place: Place
    var words: String

    init(_ place: Place, _ words: String) { (self.place, self.words) = (place, words) }
  }

  private let lines: [Substring]

  /// The lines of a text with a syntax error.
  init(_ text: String) { lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }

  /// An error of libyaml at `place`, in a value that begins at `start`.
  func problem(_ said: String, at place: Place, since start: Place) -> Problem {
    switch said {
    case _ where said.contains("tab character"): Problem(place, YAMLSyntax.tab)
    case "found character that cannot start any token": beginning(at: place)
    case "could not find expected ':'": missingColon(at: start)
    case "mapping values are not allowed in this context": secondColon(at: place)
    case "did not find expected '-' indicator": misplacedEntry(at: place, since: start)
    case "did not find expected key": misplacedKey(at: place, since: start)
    case "did not find expected ',' or '}'": unclosed("{", "}", at: place, since: start)
    case "did not find expected ',' or ']'": unclosed("[", "]", at: place, since: start)
    case "found unexpected ':'":
      Problem(place, "within braces and brackets a space and a value follow the colon of a key")
    case "found unexpected end of stream": openQuote(at: start) ?? Problem(place, said)
    case "block sequence entries are not allowed in this context":
      Problem(place, "an entry with \"- \" begins a line of its own: write the list below its key, or within brackets")
    case "found unknown escape character":
      Problem(
        place, "a backslash within double quotes begins an escape: write it twice, or put the text in single quotes")
    case "did not find expected alphabetic or numeric character": Problem(start, inQuotes(at: start))
    case "did not find expected node content": Problem(place, missingValue(at: place))
    case "did not find expected <document start>":
      Problem(place, "a file is one document, which ended before this: remove \"...\"")
    default: Problem(place, said)
    }
  }

  private static let tab = "a tab indents this line: write spaces, as YAML is indented by these only"

  // MARK: - Characters

  private func beginning(at place: Place) -> Problem {
    let isIndented = before(place).contains("\t") || rest(from: place).hasPrefix("\t")
    return isIndented && before(place).allSatisfy(\.isWhitespace)
      ? Problem(place, YAMLSyntax.tab) : Problem(place, inQuotes(at: place))
  }

  private func inQuotes(at place: Place) -> String {
    rest(from: place).hasPrefix("* ")
      ? "an entry of a list begins with \"- \""
      : "a text cannot begin with \"\(rest(from: place).prefix(1))\": put it in quotes"
  }

  private func missingValue(at place: Place) -> String {
    rest(from: place).isEmpty
      ? "the file ends within brackets or braces: close them" : inQuotes(at: place)
  }

  private func openQuote(at start: Place) -> Problem? {
    guard let quote = rest(from: start).first, quote == "'" || quote == "\"" else { return nil }
    return Problem(start, "the text that begins here with \(quote) has no \(quote) at its end")
  }

  private func unclosed(_ open: String, _ close: String, at place: Place, since start: Place) -> Problem {
    guard place.line == start.line else {
      return Problem(
        start,
        "\"\(open)\" has no \"\(close)\" here, or a comma is missing before line \(place.line), column \(place.column)"
      )
    }
    return Problem(
      place,
      close == "}"
        ? "within braces a comma follows each \"key: value\", and a text with a colon is in quotes: write a comma or quotes before this"
        : "within brackets a comma follows each value, and a text with a colon is in quotes: write a comma or quotes before this"
    )
  }

  // MARK: - Colons

  /// A line that must be a key with a value, and has no colon with a space.
  private func missingColon(at start: Place) -> Problem {
    let line = rest(from: start).stripped
    if line.hasPrefix("//") || line.hasPrefix("/*") { return Problem(start, "a comment begins with \"#\"") }
    if line.hasPrefix("{") || line.hasPrefix("[") {
      return Problem(start, "an entry of a list begins with \"- \": write \"- \(line.cut(to: 80))\"")
    }
    return Problem(start, "a colon and a space follow a key: write \"\(YAMLSyntax.withColon(line).cut(to: 80))\"")
  }

  /// `port 7000`, `port=7000` and `port:7000` as `port: 7000`.
  private static func withColon(_ line: String) -> String {
    var text = Substring(line)
    while let last = text.last, ";,".contains(last) { text.removeLast() }
    let mark = text.firstIndex(of: "=") ?? text.firstIndex(of: ":") ?? text.firstIndex(of: " ")
    guard let mark else { return "\(text):" }
    let (key, value) = (text[..<mark].stripped, text[text.index(after: mark)...].stripped)
    return value.isEmpty ? "\(key):" : "\(key): \(value)"
  }

  /// A colon where no key can be: in a text, or in a line that continues the text of the line before.
  private func secondColon(at place: Place) -> Problem {
    let before = before(place)
    guard let colon = before.firstRange(of: ": ") else { return continued(at: place) }
    let column = before[..<colon.upperBound].unicodeScalars.count + 1
    let start = Place(line: place.line, column: column)
    let (key, value) = (before[..<colon.lowerBound].stripped, rest(from: start).stripped)
    if key.hasPrefix("- "), before[colon.upperBound...].contains(",") {
      let pairs = "\(key.dropFirst(2)): \(value)".filter { !"{}()".contains($0) }
      return Problem(place, "several keys in one line are in braces: write \"- {\(pairs.stripped.cut(to: 80))}\"")
    }
    let name = key.hasPrefix("- ") ? String(key.dropFirst(2)) : key
    let quoted = Escaping.yamlQuoted(value.cut(to: 80))
    return Problem(start, "a text with a colon and a space is in quotes: write \"\(name): \(quoted)\"")
  }

  private func continued(at place: Place) -> Problem {
    let column = keyColumn(of: place.line)
    guard let line = lineBefore(place.line) else { return Problem(place, "there is no key before this colon") }
    let former = Place(line: line, column: keyColumn(of: line))
    let text = rest(from: former).stripped
    if text.hasPrefix("-"), text.count > 1 {
      let entry = text.dropFirst().stripped.cut(to: 80)
      return Problem(former, "a space follows the \"-\" of an entry: write \"- \(entry)\"")
    }
    guard text.contains(": ") || text.hasSuffix(":") else { return missingColon(at: former) }
    let isEntry = former.column > indent(of: line) + 1
    return Problem(
      Place(line: place.line, column: column),
      "this key is indented more than that of line \(line), which has a value: begin it in column \(former.column)"
        + (isEntry ? "" : ", or begin line \(line) with \"- \"")
    )
  }

  // MARK: - Indentation

  private func misplacedEntry(at place: Place, since list: Place) -> Problem {
    if let problem = trailing(at: place) { return problem }
    guard !isEntry(at: place) else {
      return Problem(
        place,
        "this entry begins in column \(place.column), and the list of line \(list.line) in column \(list.column): begin it "
          + "there, or further right below its key"
      )
    }
    let column = max(keyColumn(of: list.line), list.column + 2)
    return Problem(
      place,
      "this key begins in column \(place.column), and those of the list's entries in column \(column): begin it there, "
        + "or an entry with \"- \" in column \(list.column)"
    )
  }

  private func misplacedKey(at place: Place, since mapping: Place) -> Problem {
    if let problem = trailing(at: place) { return problem }
    guard !isEntry(at: place) else {
      return Problem(
        place,
        "this entry begins in column \(place.column), where no list is: begin it below its key, as the entries before it"
      )
    }
    return Problem(
      place,
      "this key begins in column \(place.column), and those of line \(mapping.line) in column \(mapping.column): begin it there"
    )
  }

  /// The problem with text after the end of a value, in the same line.
  private func trailing(at place: Place) -> Problem? {
    let before = before(place).stripped
    guard let last = before.last, !before.allSatisfy({ $0 == "-" }) else { return nil }
    return "'\"".contains(last)
      ? Problem(place, "the text in quotes ends before this: put all of it in quotes")
      : Problem(place, "the value ends before this: remove \"\(rest(from: place).stripped.cut(to: 40))\"")
  }

  private func isEntry(at place: Place) -> Bool {
    let rest = rest(from: place)
    return rest.hasPrefix("- ") || rest == "-"
  }

  // MARK: - Lines

  private func text(of line: Int) -> Substring { lines.indices.contains(line - 1) ? lines[line - 1] : "" }

  private func rest(from place: Place) -> String {
    String(String.UnicodeScalarView(text(of: place.line).unicodeScalars.dropFirst(max(0, place.column - 1))))
  }

  private func before(_ place: Place) -> String {
    String(String.UnicodeScalarView(text(of: place.line).unicodeScalars.prefix(max(0, place.column - 1))))
  }

  private func indent(of line: Int) -> Int { text(of: line).prefix { $0 == " " }.count }

  /// The column of the first key of a line, after the dashes of entries.
  private func keyColumn(of line: Int) -> Int {
    var (column, rest) = (1, text(of: line))
    while rest.hasPrefix(" ") || rest.hasPrefix("- ") {
      rest = rest.dropFirst()
      column += 1
    }
    return column
  }

  /// The last line before this one that is neither empty nor a comment.
  private func lineBefore(_ line: Int) -> Int? {
    (1..<max(1, line)).last { number in
      let text = text(of: number).stripped
      return !text.isEmpty && !text.hasPrefix("#")
    }
  }
}

extension StringProtocol {
  /// The text without leading and trailing white space.
  var stripped: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
