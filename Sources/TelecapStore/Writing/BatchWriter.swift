import Dispatch
import TelecapPlatform

/// Carries batches to the file on a second thread: while SQLite writes one, the producer fills the next.
///
/// While no batch is empty the producer waits; one that may not wait goes on filling its batch.
///
/// Used by one producer at a time. A batch is one transaction. After an error nothing more is written, and every call
/// throws that error.
final class BatchWriter {
  let file: OpenFile
  /// The batches that are empty, but for the one to be filled.
  private let empty: BoundedQueue<Batch>
  /// The batches that were handed over and are not written.
  private let handedOver = DispatchGroup()
  /// The producer waits while no batch is empty.
  private let waits: Bool
  private var isOpen = true

  /// The batch to be filled.
  private(set) var batch: Batch

  /// - Parameters:
  ///   - batches: how many there are, at least two: how far the producer may be ahead of the file.
  ///   - waits: the producer waits while no batch is empty; it never does where this is false, and bounds its batch itself.
  init(_ file: OpenFile, batches: Int, waits: Bool = true) {
    (self.file, self.waits) = (file, waits)
    empty = BoundedQueue(capacity: batches, (1..<batches).map { _ in Batch(file.schema) })
    batch = Batch(file.schema)
  }

  deinit {
    file.lockWait?.giveUp()
    waitForAll()
  }

  /// Hands the batch over when it is full.
  func submitIfFull() throws {
    if batch.isFull { try submit(waiting: waits) }
  }

  /// Hands the batch over if another is empty. If none is, the writer lags: the producer waits, or the batch grows.
  func submit(waiting: Bool) throws {
    guard isOpen else { throw file.failure ?? file.closed }
    if let failure = file.failure { throw failure }
    if batch.isEmpty { return }
    guard let next = try waiting ? empty.take() : empty.takeIfReady() else { return }
    hand(over: batch)
    batch = next
    if let failure = file.failure { throw failure }
  }

  /// Hands over what there is as soon as that can be done, and waits a little for the file.
  ///
  /// - Returns: whether all of it is in the file.
  func isWritten(within time: DispatchTimeInterval) throws -> Bool {
    try submit(waiting: false)
    let result = handedOver.wait(timeout: .now() + time)
    if let failure = file.failure { throw failure }
    return result == .success && batch.isEmpty
  }

  /// How many packets are not in the file.
  var waitingPackets: Int { batch.packets.count + file.unwritten }

  /// Writes what there is and waits until it is in the file.
  func flush() throws {
    try submit(waiting: true)
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

  /// Puts the log into the file when all batches are written, unless somebody has it open.
  func leaveLog() { try? file.run { _ = Connection.leaveLog($0) } }

  /// Closes the file; what was not handed over, and what another program's lock keeps out of the file, is lost.
  func close() {
    guard isOpen else { return }
    isOpen = false
    file.lockWait?.giveUp()
    waitForAll()
    file.close()
  }

  private func hand(over batch: Batch) {
    let (file, empty) = (file, empty)
    file.expect(packets: batch.packets.count)
    file.queue.async(group: handedOver) {
      file.write(batch)
      batch.clear()
      // It has room for all batches, and is never cancelled.
      try? empty.put(batch)
    }
  }

  private func waitForAll() { file.queue.sync {} }
}
