import TelecapRecording

/// Numbers over time, of which each column keeps the first, the last, the least and the greatest: however many there were,
/// no peak is lost.
public struct ReducedCurve: Sendable {
  /// The reduced numbers of one column.
  public struct Column: Hashable, Sendable {
    var first: Double
    var last: Double
    var least: Double
    var greatest: Double
    /// How many numbers there were.
    var count: Int

    init(_ value: Double) { (first, last, least, greatest, count) = (value, value, value, value, 1) }

    /// Adds a later number.
    @inline(__always)
    mutating func add(_ value: Double) {
      last = value
      least = min(least, value)
      greatest = max(greatest, value)
      count += 1
    }

    /// Adds a later column.
    mutating func add(_ next: Column) {
      last = next.last
      least = min(least, next.least)
      greatest = max(greatest, next.greatest)
      count += next.count
    }
  }

  /// Its columns.
  public let grid: TimeGrid
  /// How many numbers it was made of.
  public private(set) var count = 0
  /// The last column that holds something; −1 where none does.
  private var last = -1
  private var columns: SparseColumns<Column>

  /// Nothing yet.
  public init(_ grid: TimeGrid) { (self.grid, columns) = (grid, SparseColumns(count: grid.columns)) }

  /// Adds a number; ignores NaN, and times outside of the grid.
  public mutating func add(_ value: Double, at time: Timestamp) {
    if let column = grid.column(of: time) { add(value, in: column) }
  }

  /// Adds a number in a column of the grid; ignores NaN.
  mutating func add(_ value: Double, in column: Int) {
    guard value.isFinite else { return }
    columns.change(column) { $0.add(value) }
    count += 1
    if column > last { last = column }
  }

  private mutating func add(_ numbers: Column, at column: Int) {
    columns.change(column) { if $0 == nil { $0 = numbers } else { $0?.add(numbers) } }
    count += numbers.count
    last = max(last, column)
  }

  /// Whether there is a number after a time.
  func goesOn(after time: Timestamp) -> Bool { last >= 0 && grid.middle(of: last) > time }

  /// The content of a column; nil if it is empty.
  public subscript(column: Int) -> Column? { columns[column] }

  /// The columns that hold something, in their order.
  func forEach(in range: Range<Int>? = nil, _ body: (Int, Column) -> Void) {
    columns.forEach(in: range ?? 0..<grid.columns, body)
  }

  /// The same numbers in other columns: those that lie in them.
  public func reduced(to grid: TimeGrid) -> ReducedCurve { reduced(by: GridMap(from: self.grid, to: grid)) }

  /// The same, by a map from its own grid.
  func reduced(by map: GridMap) -> ReducedCurve {
    if map.to == grid { return self }
    var result = ReducedCurve(map.to)
    forEach(in: map.columns) { column, numbers in
      let place = map[column]
      if place >= 0 { result.add(numbers, at: place) }
    }
    return result
  }

  /// The last number before a time; nil where there is none.
  public func value(before time: Timestamp) -> Double? {
    guard time > grid.start else { return nil }
    return columns.last(before: grid.column(of: min(time, grid.end)) ?? 0)?.element.last
  }

  /// The least and the greatest number; nil where there is none.
  var range: ClosedRange<Double>? {
    var range: ClosedRange<Double>?
    forEach { _, numbers in
      range =
        min(
          range?.lowerBound ?? numbers.least, numbers.least)...max(
          range?.upperBound ?? numbers.greatest, numbers.greatest)
    }
    return range
  }
}

extension ReducedCurve.Column? {
  /// Takes a number; the first where there is none yet.
  @inline(__always)
  fileprivate mutating func add(_ value: Double) {
    switch self {
    case nil: self = Wrapped(value)
    case .some: self?.add(value)
    }
  }
}
