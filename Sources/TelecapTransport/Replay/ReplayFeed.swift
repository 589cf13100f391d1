import TelecapImpairment
import TelecapPlatform
import TelecapRecording

/// Between the thread that reads and plans and the one that sends: a short queue of chunks, so that neither waits for
/// the other's system calls and memory does not grow with the recording.
public final class ReplayFeed: Sendable {
  private let queue = BoundedQueue<ReplayChunk>(capacity: 8)
  private let isReaderCut = Locked(false)

  /// An empty queue.
  public init() {}

  /// Reads on a thread of its own and sends meanwhile: `read` fills the feed, `send` empties it. Returns when both are
  /// done; throws what either threw.
  public static func run(
    reading read: @escaping @Sendable (inout ReplayFeedWriter) throws -> Void, sending send: (ReplayFeed) throws -> Void
  ) throws {
    let feed = ReplayFeed()
    let worker = try Worker {
      feed.queue.produce {
        var writer = try ReplayFeedWriter(feed)
        try read(&writer)
        try writer.finish()
      }
    }
    let result = Result { try send(feed) }
    feed.queue.cancel()
    worker.join()
    try result.get()
  }

  // MARK: The reader's side

  /// A chunk to fill.
  func takeFree(number: Int) -> ReplayChunk {
    let chunk = queue.takeSpare() ?? ReplayChunk()
    chunk.clear(number: number)
    return chunk
  }

  /// Hands a chunk over; waits while the queue is full.
  func put(_ chunk: ReplayChunk) throws { try queue.put(chunk) }

  // MARK: The sender's side

  /// The next chunk; waits for it. Nil: that was all.
  ///
  /// - Throws: what the reader threw, after all that it had read before.
  func take() throws -> ReplayChunk? { try queue.take() }

  /// Whether the recording is damaged after what was handed over.
  var isCut: Bool { isReaderCut.with { $0 } }

  /// Notes that the recording is damaged after what was handed over.
  func cut() { isReaderCut.with { $0 = true } }

  /// Gives back a chunk of which everything has been sent.
  func recycle(_ chunk: ReplayChunk) { queue.recycle(chunk) }
}

/// The reader's end of a feed: packets go in, and their plan lines in the same order, at once or later.
public struct ReplayFeedWriter: ~Copyable {
  private let feed: ReplayFeed
  private var chunk: ReplayChunk
  /// The addresses of packets whose lines have not come.
  private var waiting: [Int] = []
  private var firstWaiting = 0

  init(_ feed: ReplayFeed) throws {
    self.feed = feed
    chunk = feed.takeFree(number: 0)
  }

  /// Adds the next packet; its bytes are copied.
  ///
  /// - Throws: `BoundedQueue.Cancelled` when nothing more is wanted: pass it on.
  public mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan) throws {
    if chunk.isFull { try handOver() }
    let packet = ReplayPacket(number: unit.packet, flow: unit.flow, carrier: unit.carrier, sentAt: 0)
    waiting.append(chunk.add(packet, pieces: pieces, bytes))
  }

  /// Adds the line of the first packet that has none yet. `time` is when it would be sent unimpaired.
  public mutating func add(_ line: PlanLine, sentAt time: Nanoseconds) {
    guard firstWaiting < waiting.count else { return }
    var line = line
    line.packet = waiting[firstWaiting]
    firstWaiting += 1
    if firstWaiting == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      firstWaiting = 0
    } else if firstWaiting >= 65_536 {
      waiting.removeFirst(firstWaiting)
      firstWaiting = 0
    }
    chunk.lines.append(ReplayChunk.Line(line: line, sentAt: time))
  }

  /// The recording is damaged: what follows in it never comes, and the sender ends early.
  public func cut() { feed.cut() }

  private mutating func handOver() throws {
    let number = chunk.number + 1
    chunk.open = chunk.count + 1
    try feed.put(chunk)
    chunk = feed.takeFree(number: number)
  }

  mutating func finish() throws { try handOver() }
}
