import NIOCore
import TelecapRecording

/// What is on its way one way of a connection. Pieces leave in the order in which they came, whenever each of them may.
struct PieceQueue {
  /// A piece of a stream, or its end.
  struct Piece {
    let number: Int
    /// Its bytes; nil for the end of the stream.
    let data: ByteBuffer?
    /// When it came, by the time of day.
    let cameAt: Timestamp
    fileprivate var isReleased = false

    init(_ number: Int, _ data: ByteBuffer?, cameAt: Timestamp) {
      (self.number, self.data, self.cameAt) = (number, data, cameAt)
    }

    /// What keeping it takes, or so: pieces of few bytes are bounded too.
    fileprivate var weight: Int { (data?.readableBytes ?? 0) + 512 }
  }

  private var pieces = CircularBuffer<Piece>()
  /// What keeping them takes, or so.
  private(set) var bytes = 0

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    bytes += piece.weight
  }

  /// A piece may leave: takes out all that may and have none before them that may not, in their order.
  mutating func release(_ number: Int) -> [Piece] {
    // Mostly the first.
    guard let place = pieces.firstIndex(where: { $0.number == number }) else { return [] }
    pieces[place].isReleased = true
    var left: [Piece] = []
    while let first = pieces.first, first.isReleased {
      pieces.removeFirst()
      bytes -= first.weight
      left.append(first)
    }
    return left
  }
}
