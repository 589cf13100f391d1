extension String {
  /// The text with spaces after it, `width` characters wide or more.
  public func padded(to width: Int) -> String {
    let missing = width - count
    return missing > 0 ? self + String(repeating: " ", count: missing) : self
  }

  /// The text with spaces before it, `width` characters wide or more.
  public func rightAligned(to width: Int) -> String {
    let missing = width - count
    return missing > 0 ? String(repeating: " ", count: missing) + self : self
  }
}

/// Rows of text in columns that are as wide as they need to be.
public struct TextTable: Sendable {
  private var rows: [[String]] = []
  private let rightAligned: Set<Int>

  /// A table whose columns in `rightAligned` (from 0) hold numbers.
  public init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

  /// Adds a row.
  public mutating func add(_ cells: String...) { rows.append(cells) }

  /// Adds a row.
  public mutating func add(row: [String]) { rows.append(row) }

  /// Whether nothing was added.
  public var isEmpty: Bool { rows.isEmpty }

  /// The rows as lines, each after `indent`, without trailing spaces.
  public func lines(indent: String = "  ") -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = indent
      for (column, cell) in row.enumerated() {
        let last = column == row.count - 1
        if rightAligned.contains(column) {
          line += cell.rightAligned(to: widths[column])
        } else {
          line += last ? cell : cell.padded(to: widths[column])
        }
        if !last { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
