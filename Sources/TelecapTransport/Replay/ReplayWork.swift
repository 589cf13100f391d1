import TelecapImpairment
import TelecapLoop
import TelecapRecording

/// The work of a pacer in a replay: reads packets and plan lines from the feed, orders them by due time, and sends
/// them. Holds packets in flight.
struct ReplayWork<Transport: ReplayTransport>: PacedWork {
  private let feed: ReplayFeed
  var transport: Transport

  private var network = Network()
  /// The released deliveries in order, with the addresses of their packets in chunks.
  private var ready: [Delivery] = []
  private var firstReady = 0
  /// The chunk whose lines are read.
  private var current: Unmanaged<ReplayChunk>?
  private var nextLine = 0
  private var lineCount = 0
  private var chunks = ChunksInUse()
  private var isFinished = false

  /// A loaded unit of byte streams, which is loaded alone.
  private var stream: (chunk: Unmanaged<ReplayChunk>, place: Int)?
  private var loaded = 0
  /// The number of sent packets.
  private(set) var sent = 0

  init(_ feed: ReplayFeed, _ transport: Transport) {
    self.feed = feed
    self.transport = transport
  }

  mutating func nextDue() throws -> Nanoseconds? {
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
    guard let chunk = chunks[delivery.packet], stream == nil else { return false }
    let place = delivery.packet & (ReplayChunk.capacity - 1)
    let packet = chunk._withUnsafeGuaranteedRef { $0.packet(place) }
    if packet.carrier == .tcp {
      guard loaded == 0 else { return false }
      stream = (chunk, place)
    } else {
      let bytes = chunk._withUnsafeGuaranteedRef { $0.bytes(place) }
      guard try network.pass(bytes.bytes, delivery, { try transport.load(packet, $0) }) else { return false }
      release(chunk, 1)
    }
    firstReady += 1
    loaded += 1
    return true
  }

  mutating func send(at time: Nanoseconds) throws {
    if let (chunk, place) = stream {
      stream = nil
      try chunk._withUnsafeGuaranteedRef { chunk in
        try transport.send(chunk.packet(place), chunk.pieces(place), chunk.bytes(place).bytes, at: time)
      }
      release(chunk, 1)
    } else {
      try transport.flush(at: time)
    }
    sent += loaded
    loaded = 0
  }

  mutating func idle() throws { try transport.idle(packets: sent) }

  // MARK: Lines and chunks

  /// Reads the next line into the schedule; returns false at the end.
  private mutating func takeLine() throws -> Bool {
    if isFinished { return false }
    while nextLine == lineCount {
      if let done = current { release(done, 1) }
      (current, nextLine, lineCount) = (nil, 0, 0)
      guard let taken = try feed.take() else {
        isFinished = true
        passing { network, ready in network.finish { ready.append($0) } }
        return true
      }
      lineCount = taken.lines.count
      current = chunks.append(taken)
    }
    guard let current else { return false }
    let next = current._withUnsafeGuaranteedRef { $0.lines[nextLine] }
    nextLine += 1
    if let owner = chunks[next.line.packet] { try settle(next, of: owner) }
    passing { network, ready in network.carryOut(next.line, sentAt: next.sentAt) { ready.append($0) } }
    return true
  }

  /// Handles the line of a packet: its time and its number of deliveries.
  private mutating func settle(_ next: ReplayChunk.Line, of owner: Unmanaged<ReplayChunk>) throws {
    let place = next.line.packet & (ReplayChunk.capacity - 1)
    let (packet, bytes) = owner._withUnsafeGuaranteedRef { owner in
      owner.settle(place, sentAt: next.sentAt)
      return (owner.packet(place), owner.bytes(place))
    }
    try transport.planned(packet, bytes.bytes)
    release(owner, 1 - next.line.due.count)
  }

  /// Both are changed at once, so swap the list out; nothing is copied.
  private mutating func passing(_ body: (inout Network, inout [Delivery]) -> Void) {
    var list: [Delivery] = []
    swap(&list, &ready)
    body(&network, &list)
    swap(&list, &ready)
  }

  /// Decreases the open count of a chunk, which is reused at 0.
  private mutating func release(_ chunk: Unmanaged<ReplayChunk>, _ count: Int) {
    let (open, number) = chunk._withUnsafeGuaranteedRef { chunk in
      chunk.open -= count
      return (chunk.open, chunk.number)
    }
    if open == 0, let done = chunks.remove(number) { feed.recycle(done) }
  }
}
