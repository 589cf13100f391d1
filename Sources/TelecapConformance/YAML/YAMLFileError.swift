/// What is wrong with a file that a person wrote: where, what, and what was probably meant.
public struct YAMLFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int
  /// What is wrong.
  public var problem: String

  /// An error at this place.
  public init(file: String, line: Int, column: Int, _ problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// `Scenarios/a.yaml:3:5: unknown key "sed" in step; did you mean "send"?`.
  public var description: String { "\(file):\(line):\(column): \(problem)" }
}

/// The word that was probably meant.
public enum Spelling {
  /// The nearest of `words`, where it is near enough to be meant; nil where none is.
  public static func nearest(to word: String, among words: [String]) -> String? {
    let best = words.min { distance(word, $0) < distance(word, $1) }
    guard let best, distance(word, best) <= max(2, best.count / 3) else { return nil }
    return best
  }

  /// How many letters must be put in, left out, changed or swapped with their neighbour (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left.lowercased())
    let b = Array(right.lowercased())
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
