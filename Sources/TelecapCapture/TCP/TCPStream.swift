// One direction of a connection: the next byte, and the bytes out of order.

/// Buffered bytes out of order.
struct HeldPiece {
  var start: Int64
  var bytes: [UInt8]

  var end: Int64 { start + Int64(bytes.count) }
  /// The memory that it costs: its bytes and about the overhead of the array.
  var cost: Int { bytes.count + 64 }
}

struct TCPStream {
  enum State { case unseen, open, closed }

  /// The distance from the expected sequence number beyond which a number belongs to another connection: no window is
  /// larger (RFC 7323 §2.3 allows 1 GiB, but no sender of small messages comes near).
  static let plausibleDistance: Int64 = 1 << 24

  var state = State.unseen
  var number = 0
  /// Whether the SYN was not captured.
  var isPickedUp = false
  /// The offset of the next byte to deliver.
  var next: Int64 = 0
  /// The sequence number of that byte.
  var nextSequence: UInt32 = 0
  /// The offset of the sender's FIN.
  var finish: Int64?
  /// The offset up to which the other side has acknowledged.
  var acknowledged = Int64.min
  /// The buffered bytes out of order: sorted, not overlapping, all after `next`.
  private(set) var held: [HeldPiece] = []
  private(set) var cost = 0

  /// Opens the stream at this sequence number.
  init(openedAt sequence: UInt32, number: Int, isPickedUp: Bool) {
    state = .open
    self.number = number
    self.isPickedUp = isPickedUp
    nextSequence = sequence
  }

  init() {}

  /// The offset of a sequence number: the one nearest to `next`, because numbers wrap at 32 bits (RFC 9293 §3.4).
  @inline(__always)
  func offset(of sequence: UInt32) -> Int64 {
    next + Int64(Int32(bitPattern: sequence &- nextSequence))
  }

  /// Moves `next` to `offset`.
  @inline(__always)
  mutating func advance(to offset: Int64) {
    nextSequence &+= UInt32(truncatingIfNeeded: offset - next)
    next = offset
  }

  /// Buffers the parts of `bytes` that are not buffered yet: first bytes win. Returns the number of duplicate bytes.
  mutating func hold(_ bytes: RawSpan, at offset: Int64) -> Int {
    let upper = offset + Int64(bytes.byteCount)
    var position = offset
    var repeated = 0
    var index = firstPiece(endingAfter: offset)
    while position < upper {
      if index < held.count, held[index].start <= position {
        let covered = min(held[index].end, upper)
        repeated += Int(covered - position)
        position = covered
      } else {
        let end = index < held.count ? min(upper, held[index].start) : upper
        let part = bytes.extracting(Int(position - offset)..<Int(end - offset))
        let piece = HeldPiece(start: position, bytes: part.withUnsafeBytes { Array($0) })
        held.insert(piece, at: index)
        cost += piece.cost
        position = end
      }
      index += 1
    }
    return repeated
  }

  /// The index of the first buffered part that ends after `offset`. Most segments are after all of them.
  private func firstPiece(endingAfter offset: Int64) -> Int {
    var low = 0
    var high = held.count
    while low < high {
      let middle = (low + high) / 2
      if held[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Removes and returns the buffered part that is in order; nil if a gap precedes it, or there is none.
  mutating func takeReady() -> HeldPiece? {
    guard let first = held.first, first.start <= next else { return nil }
    held.removeFirst()
    cost -= first.cost
    return first
  }

  /// The missing bytes before the next buffered part, or the FIN.
  var gap: Range<Int64>? {
    if let first = held.first { return first.start > next ? next..<first.start : nil }
    if let finish, finish > next { return next..<finish }
    return nil
  }

  /// Whether the sender's FIN is next.
  var isAtFinish: Bool { finish.map { $0 <= next } ?? false }

  /// Closes the stream; its state remains, to distinguish late retransmissions from a new connection.
  mutating func close() {
    state = .closed
    held = []
    cost = 0
  }
}
