extension String {
  /// The text with spaces behind it, `width` characters wide or more.
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

  /// Whether nothing was added.
  public var isEmpty: Bool { rows.isEmpty }

  /// The rows as lines, each behind `indent`, without trailing spaces.
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

/// Numbers as people read them.
public enum Numbers {
  /// `1,234,567`.
  public static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  /// With so many decimals, rounded half away from zero; `places` at most 9.
  public static func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % Int(scale))
    return sign + "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// A time in nanoseconds in the unit that suits it: `870 ns`, `12.3 µs`, `4.56 ms`, `1.200 s`.
  public static func time(_ nanoseconds: Int64) -> String {
    let value = Double(nanoseconds)
    return switch abs(value) {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(fixed(value / 1e3, 1)) µs"
    case ..<1_000_000_000: "\(fixed(value / 1e6, 2)) ms"
    default: "\(fixed(value / 1e9, 3)) s"
    }
  }
}
