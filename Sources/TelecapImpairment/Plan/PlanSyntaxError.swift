/// A plan that cannot be read: where, and what is wrong there.
public struct PlanSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The byte in the line, from 1.
  public var column: Int
  /// What is wrong and what is expected.
  public var problem: String

  /// An error at this place.
  public init(line: Int, column: Int, problem: String) {
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// `line 3, column 14: unknown key "verdit"; did you mean "verdict"?`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

/// The nearest of some words to one that is not among them.
enum NearestWord {
  /// Levenshtein's distance decides; of equals the first.
  static func to(_ word: String, of words: [String]) -> String? {
    words.min { distance(word, $0) < distance(word, $1) }
  }

  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (index, byte) in left.utf8.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let substituted = diagonal + (byte == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
