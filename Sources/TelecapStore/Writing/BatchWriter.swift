import Dispatch

/// Carries batches to the file on a second thread: while SQLite writes one, the producer fills the next.
///
/// Used by one producer at a time. A batch is one transaction. After an error nothing more is written, and every call
/// throws that error.
final class BatchWriter {
  let file: OpenFile
  private let ring: [Batch]
  /// Counts the batches of the ring that are empty.
  private let empty: DispatchSemaphore
  private var current = 0
  private var isOpen = true

  /// The batch to be filled: the current one of the ring, held by itself since every row asks for it.
  private(set) var batch: Batch

  /// - Parameter batches: how many there are, at least two: how far the producer may be ahead of the file.
  init(_ file: OpenFile, batches: Int) {
    self.file = file
    ring = (0..<batches).map { _ in Batch(file.schema) }
    batch = ring[0]
    empty = DispatchSemaphore(value: batches)
    empty.wait()
  }

  /// A semaphore must not go while it is lower than it was at first.
  deinit {
    if isOpen { empty.signal() }
    waitForAll()
  }

  /// Hands the batch over when it is full.
  func submitIfFull() throws {
    if batch.isFull { try submit() }
  }

  /// Hands the batch over, and waits for an empty one when the file is far behind.
  func submit() throws {
    guard isOpen else { throw file.failure ?? file.closed }
    if let failure = file.failure { throw failure }
    if batch.isEmpty { return }
    hand(over: batch)
    current = (current + 1) % ring.count
    batch = ring[current]
    empty.wait()
    if let failure = file.failure { throw failure }
  }

  /// Writes what there is and waits until it is in the file.
  func flush() throws {
    try submit()
    waitForAll()
    if let failure = file.failure { throw failure }
  }

  /// Writes what there is, runs `last` on the connection, and closes the file, which needs no log any more unless somebody reads it.
  func finish(_ last: (Database) throws -> Void) throws {
    guard isOpen else { throw file.failure ?? file.closed }
    defer { close() }
    try flush()
    try file.run {
      try last($0)
      _ = Connection.leaveLog($0)
    }
  }

  /// Closes the file; what was not handed over is lost.
  func close() {
    guard isOpen else { return }
    isOpen = false
    waitForAll()
    empty.signal()
    file.close()
  }

  private func hand(over batch: Batch) {
    let (file, empty) = (file, empty)
    file.queue.async {
      file.write(batch)
      batch.clear()
      empty.signal()
    }
  }

  private func waitForAll() { file.queue.sync {} }
}
