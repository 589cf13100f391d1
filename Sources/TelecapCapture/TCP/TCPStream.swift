// One direction of a connection: which byte is next, and what came before its turn.

/// Bytes that came before their turn.
struct HeldPiece {
  var start: Int64
  var bytes: [UInt8]

  var end: Int64 { start + Int64(bytes.count) }
  /// What holding it costs: its bytes and about what the array around them takes.
  var cost: Int { bytes.count + 64 }
}

struct TCPStream {
  enum State { case unseen, open, closed }

  /// A sequence number so far from the expected one is another connection's: no window is larger (RFC 7323 §2.3 allows
  /// 1 GiB, and no sender of small messages comes near).
  static let plausibleDistance: Int64 = 1 << 24

  var state = State.unseen
  var number = 0
  /// The stream was found without its SYN.
  var isPickedUp = false
  /// The offset of the next byte to deliver; everything before is done.
  var next: Int64 = 0
  /// The sequence number of that byte.
  var nextSequence: UInt32 = 0
  /// Where the sender's FIN stands.
  var finish: Int64?
  /// The offset up to which the other side has acknowledged.
  var acknowledged = Int64.min
  /// What came before its turn: sorted, not overlapping, all behind `next`.
  private(set) var held: [HeldPiece] = []
  private(set) var cost = 0

  /// Opens the stream anew at this sequence number.
  init(openedAt sequence: UInt32, number: Int, isPickedUp: Bool) {
    state = .open
    self.number = number
    self.isPickedUp = isPickedUp
    nextSequence = sequence
  }

  init() {}

  /// The offset of a sequence number: the one nearest to `next`, since numbers wrap at 32 bits (RFC 9293 §3.4).
  @inline(__always)
  func offset(of sequence: UInt32) -> Int64 {
    next + Int64(Int32(bitPattern: sequence &- nextSequence))
  }

  /// Everything before `offset` is done.
  @inline(__always)
  mutating func advance(to offset: Int64) {
    nextSequence &+= UInt32(truncatingIfNeeded: offset - next)
    next = offset
  }

  /// Keeps the parts of `bytes` that nothing is held of yet: first bytes win. How many bytes were held already.
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

  /// The index of the first piece that ends after `offset`. Most segments come behind all that is held.
  private func firstPiece(endingAfter offset: Int64) -> Int {
    var low = 0
    var high = held.count
    while low < high {
      let middle = (low + high) / 2
      if held[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Takes out the piece whose turn it is; nil: a gap comes first, or nothing is held.
  mutating func takeReady() -> HeldPiece? {
    guard let first = held.first, first.start <= next else { return nil }
    held.removeFirst()
    cost -= first.cost
    return first
  }

  /// The bytes that are missing before the next thing that is known: a held piece, or the FIN.
  var gap: Range<Int64>? {
    if let first = held.first { return first.start > next ? next..<first.start : nil }
    if let finish, finish > next { return next..<finish }
    return nil
  }

  /// The sender's FIN is next.
  var isAtFinish: Bool { finish.map { $0 <= next } ?? false }

  /// Ends it; what is kept serves to tell late repetitions from a new connection.
  mutating func close() {
    state = .closed
    held = []
    cost = 0
  }
}
