/// Something for each column of a grid, in chunks that are there once something is in them: a grid of a whole capture is fine,
/// and mostly empty.
struct SparseColumns<Element: Sendable>: Sendable {
  private var chunks: [[Element?]]
  private static var chunk: Int { 256 }

  /// Nothing in any of `count` columns.
  init(count: Int) { chunks = Array(repeating: [], count: (count + Self.chunk - 1) / Self.chunk) }

  /// The content of a column; nil if it is empty.
  subscript(column: Int) -> Element? {
    let (chunk, place) = column.quotientAndRemainder(dividingBy: Self.chunk)
    return chunks[chunk].isEmpty ? nil : chunks[chunk][place]
  }

  /// Changes what is in a column.
  @inline(__always)
  mutating func change(_ column: Int, _ body: (inout Element?) -> Void) {
    let (chunk, place) = column.quotientAndRemainder(dividingBy: Self.chunk)
    if chunks[chunk].isEmpty { chunks[chunk] = Array(repeating: nil, count: Self.chunk) }
    body(&chunks[chunk][place])
  }

  /// The columns of a range that hold something, in their order.
  @inline(__always)
  func forEach(in range: Range<Int>, _ body: (Int, Element) -> Void) {
    var column = range.lowerBound
    while column < range.upperBound {
      let number = column / Self.chunk
      let (first, end) = (number * Self.chunk, min(range.upperBound, (number + 1) * Self.chunk))
      if !chunks[number].isEmpty {
        for place in column..<end { if let element = chunks[number][place - first] { body(place, element) } }
      }
      column = end
    }
  }

  /// The last column before this one that holds something, with what it holds; nil where none does.
  func last(before column: Int) -> (column: Int, element: Element)? {
    var column = column - 1
    while column >= 0 {
      if chunks[column / Self.chunk].isEmpty {
        column = column / Self.chunk * Self.chunk - 1
      } else if let found = self[column] {
        return (column, found)
      } else {
        column -= 1
      }
    }
    return nil
  }
}
