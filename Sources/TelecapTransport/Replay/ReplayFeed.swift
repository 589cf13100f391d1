import TelecapImpairment
import TelecapPlatform
import TelecapRecording

/// A short queue of chunks between the thread that reads and plans and the one that sends, so that neither waits for
/// the other's system calls and memory does not grow with the recording.
public final class ReplayFeed: Sendable {
  private let queue = BoundedQueue<ReplayChunk>(capacity: 8)
  private let isReaderCut = Locked(false)

  /// An empty queue.
  public init() {}

  /// Reads on a new thread and sends meanwhile: `read` fills the feed, `send` empties it. Returns when both are done;
  /// throws the error of either.
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

  /// Passes on a chunk; waits while the queue is full.
  func put(_ chunk: ReplayChunk) throws { try queue.put(chunk) }

  // MARK: The sender's side

  /// Waits for the next chunk; nil at the end.
  ///
  /// - Throws: the reader's error, after all chunks before it.
  func take() throws -> ReplayChunk? { try queue.take() }

  /// Whether the recording is damaged after the chunks so far.
  var isCut: Bool { isReaderCut.with { $0 } }

  /// Records that the recording is damaged after the chunks so far.
  func cut() { isReaderCut.with { $0 = true } }

  /// Returns a chunk after all its packets have been sent.
  func recycle(_ chunk: ReplayChunk) { queue.recycle(chunk) }
}

/// The reader's end of a feed for packets and their plan lines, which come in the same order, at once or later.
public struct ReplayFeedWriter: ~Copyable {
  private let feed: ReplayFeed
  private var chunk: ReplayChunk
  /// The addresses of packets without a line.
  private var waiting: [Int] = []
  private var firstWaiting = 0

  init(_ feed: ReplayFeed) throws {
    self.feed = feed
    chunk = feed.takeFree(number: 0)
  }

  /// Adds the next packet with a copy of its bytes.
  ///
  /// - Throws: `BoundedQueue.Cancelled` when the sender has ended: rethrow it.
  public mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan) throws {
    if chunk.isFull { try handOver() }
    let packet = ReplayPacket(number: unit.packet, flow: unit.flow, carrier: unit.carrier, sentAt: 0)
    waiting.append(chunk.add(packet, pieces: pieces, bytes))
  }

  /// Adds the line of the first packet without one. `time` is when it would be sent without impairments.
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

  /// Marks the recording as damaged: no more packets follow, and the sender ends early.
  public func cut() { feed.cut() }

  private mutating func handOver() throws {
    let number = chunk.number + 1
    chunk.open = chunk.count + 1
    try feed.put(chunk)
    chunk = feed.takeFree(number: number)
  }

  mutating func finish() throws { try handOver() }
}
