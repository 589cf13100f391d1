import Dispatch
import TelecapPlatform
import TelecapRecording
import TelecapWire

extension CaptureReader {
  /// So many read at once: one core is enough for what is made of what they read.
  private static let threads = 2
  /// No more portions are asked for: the numbers of a file that somebody else wrote may be far apart.
  private static let mostPortions = 4_096

  /// Calls `body` with each message in the order of their numbers, as `forEachMessage` does; of a large capture further
  /// connections read ahead meanwhile, each every other portion of the messages.
  /// - Throws: `StoreError.busy` where somebody wrote to the capture meanwhile: what was read is not of one state then.
  public func forEachMessageReadAhead(
    _ wanted: WantedNumbers, _ body: (StoredMessage, Span<StoredNumber>) throws -> Void
  ) throws {
    try forEachMessageReadAhead(wanted, from: 50_000, portion: 16_384, body)
  }

  /// - Parameters:
  ///   - worthwhile: so many messages are worth further threads.
  ///   - portion: so many numbers belong to one portion.
  func forEachMessageReadAhead(
    _ wanted: WantedNumbers, from worthwhile: Int, portion: Int,
    _ body: (StoredMessage, Span<StoredNumber>) throws -> Void
  ) throws {
    guard let (first, last) = try messageNumbers() else { return }
    let version = try version()
    let count = last.subtractingReportingOverflow(first)
    guard first >= 0, !count.overflow, count.partialValue >= worthwhile,
      let readers = try? (0..<CaptureReader.threads).map({ _ in try another() }),
      // Somebody may have put another capture there since.
      try readers.allSatisfy({ try $0.messageNumbers().map { $0 == (first, last) } ?? false })
    else { return try forEachMessage(reading: wanted, body) }
    let width = max(portion, count.partialValue / CaptureReader.mostPortions)
    let portions = count.partialValue / width + 1
    let pipes = readers.enumerated().map { place, reader in
      let pipe = BoundedQueue<MessageBatch>(capacity: 8)
      DispatchQueue(label: "telecap.store.reader").async {
        pipe.produce {
          for portion in stride(from: place, to: portions, by: readers.count) {
            let low = first + portion * width
            try reader.read(low...min(last, low.saturatingAdding(width - 1)), wanted, into: pipe)
          }
        }
      }
      return pipe
    }
    defer {
      for pipe in pipes { pipe.cancel() }
      for pipe in pipes { pipe.waitForEnd() }
    }
    for portion in 0..<portions {
      while let batch = try pipes[portion % pipes.count].take() {
        try batch.forEach(body)
        if batch.isLastOfPortion { break }
      }
    }
    guard try self.version() == version else { throw StoreError.busy(path: path) }
  }

  /// Another number whenever somebody else has written to the file.
  private func version() throws -> Int { try read { try version($0) } }

  /// The same with the connection in hand.
  func version(_ db: Database) throws -> Int {
    let statement = try db.cachedStatement(sql: "PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? QueryRow(statement: statement.handle).integer(0) : 0
  }

  /// The numbers of the first and the last message; nil where there is none.
  private func messageNumbers() throws -> (first: Int, last: Int)? {
    try read { db in
      guard let first = try db.integer(sql: "SELECT MIN(id) FROM message"),
        let last = try db.integer(sql: "SELECT MAX(id) FROM message")
      else { return nil }
      return (first, last)
    }
  }

  /// Puts the messages of a portion into a pipe, batch by batch.
  private func read(_ range: ClosedRange<Int>, _ wanted: WantedNumbers, into pipe: BoundedQueue<MessageBatch>) throws {
    var batch = MessageBatch()
    try forEachMessage(in: range, reading: wanted) { message, numbers in
      batch.add(message, numbers)
      guard batch.isFull else { return }
      try pipe.put(batch)
      batch = MessageBatch()
    }
    batch.isLastOfPortion = true
    try pipe.put(batch)
  }
}

/// Messages with the numbers in their fields.
private struct MessageBatch: Sendable {
  private static let most = 1_024
  private var messages: [StoredMessage] = []
  /// How many numbers there are up to the end of each message.
  private var ends: [Int] = []
  private var numbers: [StoredNumber] = []
  var isLastOfPortion = false

  init() {
    messages.reserveCapacity(MessageBatch.most)
    ends.reserveCapacity(MessageBatch.most)
    numbers.reserveCapacity(8 * MessageBatch.most)
  }

  var isFull: Bool { messages.count >= MessageBatch.most }

  mutating func add(_ message: StoredMessage, _ more: Span<StoredNumber>) {
    messages.append(message)
    for place in more.indices { numbers.append(more[place]) }
    ends.append(numbers.count)
  }

  func forEach(_ body: (StoredMessage, Span<StoredNumber>) throws -> Void) throws {
    let all = numbers.span
    var start = 0
    for place in messages.indices {
      try body(messages[place], all.extracting(start..<ends[place]))
      start = ends[place]
    }
  }
}
