/// The name of a file that a program names anew at each start, as a pattern: `*` replaces clocks and counters.
public enum FileNamePattern {
  /// The pattern of a path, with `*` only in the last component; nil where no part of it would change.
  public static func of(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    // The extension is the type of the content: mp4, h5.
    let end =
      name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.dropFirst().contains(where: \.isLetter) ? $0 : nil }
      ?? ""
    let pattern = short(words(of: name.dropLast(end.count)).map { isOfOneStart($0) ? "*" : String($0) })
    guard pattern.contains("*"), pattern != "*" || !end.isEmpty else { return nil }
    return String(folder) + pattern + String(end)
  }

  /// Runs of letters and digits, and the characters between them.
  private static func words(of name: Substring) -> [Substring] {
    var words: [Substring] = []
    var rest = name
    while let first = rest.first {
      let word = isOfWord(first) ? rest.prefix(while: isOfWord) : rest.prefix(1)
      words.append(word)
      rest = rest.dropFirst(word.count)
    }
    return words
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Whether it is a number, a date such as 20261125T023207Z, or hexadecimal digits that are no word.
  private static func isOfOneStart(_ word: Substring) -> Bool {
    let digits = word.count(where: \.isNumber)
    if digits == 0 { return false }
    let isTime = word.first?.isNumber == true && word.allSatisfy { $0.isNumber || "TZtz".contains($0) }
    return isTime || (digits >= 6 && word.count - digits <= 2)
      || (word.count >= 6 && word.allSatisfy(\.isHexDigit))
  }

  /// Replaces several `*` with only punctuation between them by one.
  private static func short(_ words: [String]) -> String {
    words.reduce(into: "") { text, word in
      guard word == "*" else { return text += word }
      let marks = text.reversed().prefix { !$0.isLetter && !$0.isNumber && $0 != "*" }
      if text.dropLast(marks.count).last == "*" { text = String(text.dropLast(marks.count)) } else { text += "*" }
    }
  }

  /// Whether it contains a date, like a file for all output of one day.
  public static func hasDate(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(#/(19|20)\d\d[-_.]?(0[1-9]|1[0-2])[-_.]?([0-2]\d|3[01])/#)
  }
}
