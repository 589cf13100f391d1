/// The mutants that no suite can distinguish from a right system, each with the reason: lines of a pattern of names, a
/// TAB and why. `#` begins a comment.
public struct Equivalents: Sendable {
  /// One line.
  public struct Row: Sendable {
    /// Its number in the file, from 1.
    public let line: Int
    public let pattern: Glob
    public let reason: String
  }

  /// A line that is none.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  public let rows: [Row]

  /// The rows of a file's text.
  ///
  /// - Throws: `Problem` for a line without a pattern and a reason.
  public init(_ text: String, file: String) throws(Problem) {
    var rows: [Row] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, !parts[1].isEmpty else {
        throw Problem(description: "\(file):\(index + 1): write a pattern of names, a TAB, and why they are equivalent")
      }
      rows.append(Row(line: index + 1, pattern: Glob(String(parts[0])), reason: String(parts[1])))
    }
    self.rows = rows
  }

  /// Whether a name is of one of the patterns.
  public func holds(_ name: String) -> Bool { rows.contains { $0.pattern.matches(name) } }

  /// The errors in the file after a run: rows that match no mutant, or one that was killed.
  public func wrong(after fates: [String: Fate], all names: [String], file: String) -> [String] {
    rows.flatMap { row -> [String] in
      let own = names.filter(row.pattern.matches)
      guard !own.isEmpty else { return ["\(file):\(row.line): no mutant is called \(row.pattern)"] }
      return own.compactMap { name in
        guard case .killed(let scenario, _)? = fates[name] else { return nil }
        return "\(file):\(row.line): \(name) is no equivalent: \(scenario) catches it"
      }
    }
  }
}
