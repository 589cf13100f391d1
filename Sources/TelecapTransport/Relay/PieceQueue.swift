import NIOCore
import TelecapRecording

/// The data in flight in one direction of a connection. Segments leave in order of arrival, each not before its
/// release.
struct PieceQueue {
  /// A segment of a byte stream, or its end.
  struct Piece {
    let number: Int
    /// Its bytes; nil for the end of the stream.
    let data: ByteBuffer?
    /// The time of day at which it came.
    let cameAt: Timestamp
    fileprivate var isReleased = false

    init(_ number: Int, _ data: ByteBuffer?, cameAt: Timestamp) {
      (self.number, self.data, self.cameAt) = (number, data, cameAt)
    }

    /// Its approximate memory, with an overhead that bounds small segments too.
    fileprivate var weight: Int { (data?.readableBytes ?? 0) + 512 }
  }

  private var pieces = CircularBuffer<Piece>()
  /// The approximate memory of all.
  private(set) var bytes = 0

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    bytes += piece.weight
  }

  /// Releases a segment; returns all released segments without unreleased ones before them, in order.
  mutating func release(_ number: Int) -> [Piece] {
    // Usually the first.
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
