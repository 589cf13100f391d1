import TelecapRecording

/// Puts the segments of TCP streams in order.
///
/// - Bytes in order are delivered at once without a copy; bytes out of order are buffered.
/// - Of duplicate bytes the first ones win; later ones are not compared.
/// - A gap is given up and reported if the other side has acknowledged it: the bytes were sent but not captured. So it
///   is if a stream buffers more than `streamLimit` bytes, or all together more than `totalLimit`, and at the end of
///   the stream.
/// - At most `connectionLimit` connections are tracked; the one that was idle for longest is closed.
/// - A stream whose SYN was not captured is picked up at its first data. A later SYN does not restart it.
public struct TCPReassembler {
  /// The statistics so far.
  public private(set) var statistics = TCPStatistics()

  private let streamLimit: Int
  private let totalLimit: Int
  private var table: ConnectionTable
  /// Two streams for each entry of the table: from the key's source, and back.
  private var streams: [TCPStream] = []
  private var totalCost = 0

  /// - Parameters:
  ///   - streamLimit: buffered bytes of each stream, with about 64 for each segment.
  ///   - totalLimit: buffered bytes of all streams.
  ///   - connectionLimit: connections tracked at once.
  public init(streamLimit: Int = 262_144, totalLimit: Int = 16_777_216, connectionLimit: Int = 4096) {
    self.streamLimit = max(0, streamLimit)
    self.totalLimit = totalLimit
    table = ConnectionTable(limit: connectionLimit)
  }

  /// Handles a segment: `bytes` are the captured bytes of its payload. Events of both directions, and of an evicted
  /// connection, are passed to `deliver` before this returns; their bytes are valid only during the call.
  public mutating func receive(
    _ segment: TransportPayload, _ bytes: RawSpan, deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    let (key, isForward) = ConnectionTable.key(segment.flow)
    let opens = segment.flags.contains(.syn) || bytes.byteCount > 0
    guard let place = try place(of: key, adding: opens, deliver) else { return }
    let index = place * 2 + (isForward ? 0 : 1)
    if segment.flags.contains(.ack) { try acknowledge(index ^ 1, segment.acknowledgement, deliver) }
    if segment.flags.contains(.rst) {
      try end(index, .reset, deliver)
      try end(index ^ 1, .reset, deliver)
      return
    }
    var sequence = segment.sequence
    if segment.flags.contains(.syn) {
      sequence &+= 1
      try synchronize(index, sequence, deliver)
    } else if bytes.byteCount > 0 {
      try pickUp(index, sequence, bytes.byteCount, deliver)
    }
    guard streams[index].state == .open else { return }
    if bytes.byteCount > 0 { try accept(index, sequence, bytes, deliver) }
    if segment.flags.contains(.fin) {
      let length = UInt32(truncatingIfNeeded: bytes.byteCount + segment.missing)
      noteFinish(index, streams[index].offset(of: sequence &+ length))
    }
    try settle(index, deliver)
  }

  /// Ends all streams at the end of the capture: buffered bytes are delivered, gaps are reported.
  public mutating func finish(deliver: (TCPEvent, RawSpan) throws -> Void) rethrows {
    for index in streams.indices { try end(index, .captureEnded, deliver) }
  }

  // MARK: Opening

  private mutating func place(
    of key: Flow, adding: Bool, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows -> Int? {
    if let place = table.find(key) { return place }
    if !adding { return nil }
    if let full = table.full {
      try end(full * 2, .evicted, deliver)
      try end(full * 2 + 1, .evicted, deliver)
    }
    let place = table.add(key)
    while streams.count < table.count * 2 { streams.append(TCPStream()) }
    streams[place * 2] = TCPStream()
    streams[place * 2 + 1] = TCPStream()
    return place
  }

  /// Handles a SYN before the byte `first`: opens a new stream, unless this one has the same start or was picked up
  /// just after it.
  private mutating func synchronize(
    _ index: Int, _ first: UInt32, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    let stream = streams[index]
    if stream.state == .open {
      let offset = stream.offset(of: first)
      let isRepeated = stream.isPickedUp ? (-Int64(streamLimit)...0).contains(offset) : offset == 0
      if isRepeated { return }
      try end(index, .replaced, deliver)
    }
    try open(index, at: first, isPickedUp: false, deliver)
  }

  /// Handles data of a stream that is not open, or of another connection on the same ports: opens a stream that starts
  /// here.
  private mutating func pickUp(
    _ index: Int, _ sequence: UInt32, _ count: Int, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    let stream = streams[index]
    let distance = stream.offset(of: sequence) - stream.next
    let isFar = abs(distance) > TCPStream.plausibleDistance
    switch stream.state {
    case .unseen:
      try open(index, at: sequence, isPickedUp: true, deliver)
    case .open:
      if isFar {
        try end(index, .replaced, deliver)
        try open(index, at: sequence, isPickedUp: true, deliver)
      }
    case .closed:
      if isFar || distance + Int64(count) > 0 { try open(index, at: sequence, isPickedUp: true, deliver) }
    }
  }

  private mutating func open(
    _ index: Int, at sequence: UInt32, isPickedUp: Bool, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    statistics.streams += 1
    streams[index] = TCPStream(openedAt: sequence, number: statistics.streams, isPickedUp: isPickedUp)
    try report(index, .opened(isPickedUp: isPickedUp), deliver)
  }

  // MARK: Bytes

  private mutating func accept(
    _ index: Int, _ sequence: UInt32, _ bytes: RawSpan, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    var offset = streams[index].offset(of: sequence)
    var fresh = bytes.byteCount
    let old = streams[index].next - offset
    if old > 0 {
      statistics.repeatedBytes += min(old, Int64(fresh))
      fresh -= Int(min(old, Int64(fresh)))
      offset = streams[index].next
    }
    if fresh == 0 { return }
    let rest = bytes.extracting(last: fresh)
    let isInTurn = offset == streams[index].next
    if isInTurn, streams[index].gap.map({ offset + Int64(fresh) <= $0.upperBound }) ?? true {
      streams[index].advance(to: offset + Int64(fresh))
      try report(index, .data(offset: offset), rest, deliver)
    } else {
      if !isInTurn { statistics.outOfOrder += 1 }
      let cost = streams[index].cost
      statistics.repeatedBytes += Int64(streams[index].hold(rest, at: offset))
      totalCost += streams[index].cost - cost
    }
  }

  private mutating func noteFinish(_ index: Int, _ offset: Int64) {
    if streams[index].finish == nil, offset >= streams[index].next { streams[index].finish = offset }
  }

  /// Handles an acknowledgement: the other side has received all bytes before `number`.
  private mutating func acknowledge(
    _ index: Int, _ number: UInt32, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    guard streams[index].state == .open else { return }
    let offset = streams[index].offset(of: number)
    guard offset > streams[index].acknowledged else { return }
    streams[index].acknowledged = offset
    try settle(index, deliver)
  }

  /// Delivers bytes in order, gives up acknowledged gaps, and ends a stream at its FIN.
  private mutating func settle(_ index: Int, _ deliver: (TCPEvent, RawSpan) throws -> Void) rethrows {
    try drain(index, deliver)
    while let gap = streams[index].gap {
      let isFull = streams[index].cost > streamLimit || totalCost > totalLimit
      guard isFull || streams[index].acknowledged >= gap.upperBound else { break }
      try giveUp(index, gap, deliver)
    }
    if streams[index].isAtFinish { try end(index, .finished, deliver) }
  }

  private mutating func drain(_ index: Int, _ deliver: (TCPEvent, RawSpan) throws -> Void) rethrows {
    while let piece = streams[index].takeReady() {
      totalCost -= piece.cost
      let offset = streams[index].next
      let done = Int(offset - piece.start)
      guard done < piece.bytes.count else { continue }
      streams[index].advance(to: piece.end)
      let bytes = piece.bytes.span.bytes.extracting(done..<piece.bytes.count)
      try report(index, .data(offset: offset), bytes, deliver)
    }
  }

  private mutating func giveUp(
    _ index: Int, _ gap: Range<Int64>, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    statistics.gaps += 1
    statistics.missingBytes += gap.upperBound - gap.lowerBound
    streams[index].advance(to: gap.upperBound)
    try report(index, .missing(gap), deliver)
    try drain(index, deliver)
  }

  // MARK: Ending

  private mutating func end(
    _ index: Int, _ closing: TCPEvent.Closing, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    guard streams[index].state == .open else { return }
    while let gap = streams[index].gap { try giveUp(index, gap, deliver) }
    streams[index].close()
    try report(index, .closed(closing), deliver)
  }

  private func report(
    _ index: Int, _ kind: TCPEvent.Kind, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    try report(index, kind, RawSpan(), deliver)
  }

  @inline(__always)
  private func report(
    _ index: Int, _ kind: TCPEvent.Kind, _ bytes: RawSpan, _ deliver: (TCPEvent, RawSpan) throws -> Void
  ) rethrows {
    let key = table.key(at: index / 2)
    let flow = index & 1 == 0 ? key : key.reversed
    try deliver(TCPEvent(flow: flow, stream: streams[index].number, kind: kind), bytes)
  }
}
