import TelecapRecording

/// Things that happened, counted by columns of time; of each column the first packet is kept, so that one can go there.
public struct ReducedMarks: Sendable {
  /// What happened in one column.
  struct Mark: Hashable, Sendable {
    var count: Int
    var packet: Int
    /// When the first of them was.
    var time: Timestamp
  }

  /// Its columns.
  public let grid: TimeGrid
  /// How often it happened in all.
  public private(set) var count = 0
  private var marks: [Int: Mark] = [:]

  /// Nothing yet.
  public init(_ grid: TimeGrid) { self.grid = grid }

  /// It happened in this packet, so often.
  public mutating func add(_ count: Int = 1, packet: Int, at time: Timestamp) {
    guard let column = grid.column(of: time) else { return }
    add(Mark(count: count, packet: packet, time: time), at: column)
  }

  private mutating func add(_ mark: Mark, at column: Int) {
    marks[column, default: Mark(count: 0, packet: mark.packet, time: mark.time)].count += mark.count
    count += mark.count
  }

  /// The same in other columns: what lies in them.
  public func reduced(to grid: TimeGrid) -> ReducedMarks {
    if grid == self.grid { return self }
    var result = ReducedMarks(grid)
    for (_, mark) in sorted { if let place = grid.column(of: mark.time) { result.add(mark, at: place) } }
    return result
  }

  /// The columns in which something happened, in their order.
  var sorted: [(column: Int, mark: Mark)] { marks.sorted { $0.key < $1.key }.map { (column: $0.key, mark: $0.value) } }

  /// The most in one column; 0 where nothing happened.
  var most: Int { marks.values.map(\.count).max() ?? 0 }
}
