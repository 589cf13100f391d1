/// Suggestions for misspelled words.
public enum Spelling {
  /// The nearest of `words`, if it is near enough to be meant; otherwise nil.
  public static func nearest(to word: String, among words: [String]) -> String? {
    guard let best = closest(to: word, among: words) else { return nil }
    let edits = distance(word, best)
    // Changing half of a short word gives another word: "seq" is not a misspelled "key", but "di" is "id".
    let isNear = edits <= max(2, best.count / 3) && 2 * edits < max(word.count, best.count)
    let isSwapped = edits == 1 && word.lowercased().sorted() == best.lowercased().sorted()
    return isNear || isSwapped ? best : nil
  }

  /// The advice for a word that is not one of `words`: the similar ones, or all.
  public static func advice(for word: String, among words: [String]) -> String {
    let near = words.filter { name in
      distance(word, name) <= max(2, name.count / 3)
        || (word.count > 1 && (name.hasPrefix(word) || word.hasPrefix(name)))
    }
    if !near.isEmpty { return "did you mean \(near.list(or: true))?" }
    return words.isEmpty ? "it has none below it" : "there are \(words.list(or: false))"
  }

  /// The nearest of `words`, however far it is; the first of equally near ones. Nil only without words.
  public static func closest(to word: String, among words: [String]) -> String? {
    words.min { distance(word, $0) < distance(word, $1) }
  }

  /// The maximum number of compared letters, because untrusted words may be long.
  private static let longest = 64

  /// The number of insertions, deletions, changes and swaps of neighbouring letters between two words (optimal string
  /// alignment), ignoring case.
  static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left.prefix(longest).lowercased())
    let b = Array(right.prefix(longest).lowercased())
    var rows = [Array(0...b.count)]
    for i in 1..<(a.count + 1) {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1..<(b.count + 1) {
        let change = a[i - 1] == b[j - 1] ? 0 : 1
        row[j] = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + change)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], rows[i - 2][j - 2] + 1) }
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
