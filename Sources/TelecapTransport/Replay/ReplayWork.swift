import TelecapImpairment
import TelecapLoop
import TelecapRecording

/// What a pacer does in a replay: takes packets and plan lines from the feed, brings them into the order of their due
/// times, and sends them. Holds what is in flight.
struct ReplayWork<Transport: ReplayTransport>: PacedWork {
  private let feed: ReplayFeed
  var transport: Transport

  private var network = Network()
  /// What the network let go of, in order. Its packets have the addresses that their chunks give them.
  private var ready: [Delivery] = []
  private var firstReady = 0
  /// The chunk whose lines are being read.
  private var current: ReplayChunk?
  private var nextLine = 0
  /// The chunks that are in use; the first one's number is `firstChunk`.
  private var chunks: [ReplayChunk?] = []
  private var firstChunk = 0
  private var isFinished = false

  /// A unit of streams that is loaded, alone.
  private var stream: (chunk: ReplayChunk, place: Int)?
  private var loaded = 0
  /// How many packets were sent.
  private(set) var sent = 0

  init(_ feed: ReplayFeed, _ transport: Transport) {
    self.feed = feed
    self.transport = transport
  }

  mutating func nextDue() throws -> Int64? {
    if firstReady < ready.count { return ready[firstReady].due }
    ready.removeAll(keepingCapacity: true)
    firstReady = 0
    while ready.isEmpty {
      guard try takeLine() else { return nil }
    }
    return ready[0].due
  }

  mutating func load() throws -> Bool {
    let delivery = ready[firstReady]
    guard let chunk = chunk(of: delivery.packet), stream == nil else { return false }
    let place = delivery.packet & (ReplayChunk.capacity - 1)
    let entry = chunk.entries[place]
    if entry.packet.carrier == .tcp {
      guard loaded == 0 else { return false }
      stream = (chunk, place)
    } else {
      guard try append(delivery, chunk, entry) else { return false }
      release(chunk, 1)
    }
    firstReady += 1
    loaded += 1
    return true
  }

  mutating func send(at time: Int64) throws {
    if let (chunk, place) = stream {
      stream = nil
      let entry = chunk.entries[place]
      let all = chunk.bytes
      try transport.send(entry.packet, chunk.pieces[entry.pieces], all.span.bytes.extracting(entry.bytes), at: time)
      release(chunk, 1)
    } else {
      try transport.flush(at: time)
    }
    sent += loaded
    loaded = 0
  }

  mutating func idle() throws { try transport.idle(packets: sent) }

  private mutating func append(_ delivery: Delivery, _ chunk: ReplayChunk, _ entry: ReplayChunk.Entry) throws -> Bool {
    let all = chunk.bytes
    return try network.pass(all.span.bytes.extracting(entry.bytes), delivery) { bytes in
      try transport.load(entry.packet, bytes)
    }
  }

  // MARK: Lines and chunks

  /// Reads the next line into the schedule; false at the end.
  private mutating func takeLine() throws -> Bool {
    if isFinished { return false }
    while current.map({ nextLine == $0.lines.count }) ?? true {
      if let done = current { release(done, 1) }
      nextLine = 0
      current = try feed.take()
      guard let taken = current else {
        isFinished = true
        passing { network, ready in network.finish { ready.append($0) } }
        return true
      }
      chunks.append(taken)
    }
    guard let current else { return false }
    let next = current.lines[nextLine]
    nextLine += 1
    if let owner = chunk(of: next.line.packet) { try settle(next, of: owner) }
    passing { network, ready in network.carryOut(next.line, sentAt: next.sentAt) { ready.append($0) } }
    return true
  }

  /// The line of a packet has come: it knows its time, and how often it is to be delivered.
  private mutating func settle(_ next: ReplayChunk.Line, of owner: ReplayChunk) throws {
    let place = next.line.packet & (ReplayChunk.capacity - 1)
    owner.entries[place].packet.sentAt = next.sentAt
    let entry = owner.entries[place]
    let all = owner.bytes
    try transport.planned(entry.packet, all.span.bytes.extracting(entry.bytes))
    release(owner, 1 - next.line.due.count)
  }

  /// Both are changed at once, so the list leaves its place meanwhile; nothing is copied.
  private mutating func passing(_ body: (inout Network, inout [Delivery]) -> Void) {
    var list: [Delivery] = []
    swap(&list, &ready)
    body(&network, &list)
    swap(&list, &ready)
  }

  private func chunk(of address: Int) -> ReplayChunk? {
    let index = (address >> ReplayChunk.addressBits) - firstChunk
    return chunks.indices.contains(index) ? chunks[index] : nil
  }

  /// So many fewer things are open of this chunk; with none left it is used again.
  private mutating func release(_ chunk: ReplayChunk, _ count: Int) {
    chunk.open -= count
    guard chunk.open == 0 else { return }
    chunks[chunk.number - firstChunk] = nil
    var gone = 0
    while gone < chunks.count, chunks[gone] == nil { gone += 1 }
    if gone > 0 {
      chunks.removeFirst(gone)
      firstChunk += gone
    }
    feed.recycle(chunk)
  }
}
