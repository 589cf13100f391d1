import TelecapRecording

/// Things that happened, counted by columns of time; of each column the first packet is kept, so that one can go there.
public struct ReducedMarks: Sendable {
  /// The events in one column.
  struct Mark: Hashable, Sendable {
    var count: Int
    var packet: Int
    /// When the first of them was.
    var time: Timestamp

    /// It happened so often again. A gap in sequence numbers of 64 bits is as large as an Int holds.
    fileprivate mutating func take(_ more: Int) { count = count.saturatingAdding(more) }
  }

  /// Its columns.
  public let grid: TimeGrid
  /// How often it happened in all.
  public private(set) var count = 0
  private var marks: SparseColumns<Mark>

  /// Nothing yet.
  public init(_ grid: TimeGrid) { (self.grid, marks) = (grid, SparseColumns(count: grid.columns)) }

  /// It happened in this packet, so often. Whether it is the one that its column keeps.
  @discardableResult
  public mutating func add(_ count: Int = 1, packet: Int, at time: Timestamp) -> Bool {
    guard let column = grid.column(of: time) else { return false }
    return add(Mark(count: count, packet: packet, time: time), at: column)
  }

  @discardableResult
  private mutating func add(_ mark: Mark, at column: Int) -> Bool {
    var isFirst = false
    marks.change(column) {
      isFirst = $0 == nil
      if isFirst { $0 = mark } else { $0?.take(mark.count) }
    }
    count = count.saturatingAdding(mark.count)
    return isFirst
  }

  /// The same in other columns: what lies in them.
  public func reduced(to grid: TimeGrid) -> ReducedMarks {
    if grid == self.grid { return self }
    var result = ReducedMarks(grid)
    marks.forEach(in: self.grid.columns(within: grid)) { _, mark in
      if let place = grid.column(of: mark.time) { result.add(mark, at: place) }
    }
    return result
  }

  /// The columns in which something happened, in their order.
  var sorted: [(column: Int, mark: Mark)] {
    var all: [(column: Int, mark: Mark)] = []
    marks.forEach(in: 0..<grid.columns) { all.append((column: $0, mark: $1)) }
    return all
  }

  /// The most in one column; 0 where nothing happened.
  var most: Int {
    var most = 0
    marks.forEach(in: 0..<grid.columns) { most = max(most, $1.count) }
    return most
  }
}
