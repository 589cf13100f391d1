import TelecapRecording

/// A span of time in columns of equal width: what a picture shows, column by column.
public struct TimeGrid: Hashable, Sendable {
  /// Where the first column begins.
  public let start: Timestamp
  /// How long all of them are together, in ns; at least 1.
  public let length: Nanoseconds
  /// How many there are.
  public let columns: Int

  /// So many columns from `start` on.
  ///
  /// - Precondition: there is a column.
  public init(start: Timestamp, length: Nanoseconds, columns: Int) {
    precondition(columns > 0)
    (self.start, self.length, self.columns) = (start, max(1, length), columns)
  }

  /// Columns over all that lies between two times.
  public init(_ span: ClosedRange<Timestamp>, columns: Int) {
    self.init(start: span.lowerBound, length: span.upperBound.nanoseconds(since: span.lowerBound), columns: columns)
  }

  /// Where the last column ends.
  public var end: Timestamp { start.advanced(byNanoseconds: length) }

  /// The column that a time lies in; nil where it lies in none. The end belongs to the last one.
  @inline(__always)
  public func column(of time: Timestamp) -> Int? {
    let distance = time.nanoseconds(since: start)
    guard distance >= 0, distance <= length else { return nil }
    return min(columns - 1, Int(Double(distance) / Double(length) * Double(columns)))
  }

  /// Where a time lies.
  enum Moment {
    case before, behind
    case column(Int)
  }

  /// The position of a time: in a column, or outside all of them.
  @inline(__always)
  func moment(_ time: Timestamp) -> Moment {
    if time < start { return .before }
    return column(of: time).map { .column($0) } ?? .behind
  }

  /// When the middle of a column is.
  func middle(of column: Int) -> Timestamp {
    start.advanced(byNanoseconds: Int64(clampingRounded: (Double(column) + 0.5) / Double(columns) * Double(length)))
  }

  /// The columns that a part of the time lies in; empty where it lies in none.
  func columns(within part: TimeGrid) -> Range<Int> {
    let first = max(start, part.start)
    let last = min(end, part.end)
    guard first <= last, let low = column(of: first), let high = column(of: last) else { return 0..<0 }
    return low..<high + 1
  }
}

/// In which column of a grid the middle of each column of another one lies: worked out once for all that is drawn in both.
struct GridMap {
  let to: TimeGrid
  /// The columns of the other grid that lie in `to`.
  let columns: Range<Int>
  /// For each of them its column in `to`; −1 where its middle lies in none.
  private let places: [Int]

  init(from: TimeGrid, to: TimeGrid) {
    (self.to, columns) = (to, from.columns(within: to))
    places = from == to ? [] : columns.map { to.column(of: from.middle(of: $0)) ?? -1 }
  }

  /// The column in `to` of one of `columns`; −1 where there is none.
  @inline(__always)
  subscript(column: Int) -> Int { places[column - columns.lowerBound] }
}
