import TelecapRecording

/// Between the thread that captures and the one that stores: two batches, one being filled while the other is written.
/// The one who captures never waits; what does not fit is dropped and counted.
///
/// `@unchecked Sendable`: everything that changes is guarded by `monitor`.
public final class PacketQueue: @unchecked Sendable {
  private let monitor = Monitor()
  private let limit: Int
  private var filling = PacketBatch()
  private var dropped = 0

  /// A queue that holds `limit` bytes of frames at most.
  public init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

  /// Adds a packet, or drops it when the queue is full.
  public func offer(_ header: PacketHeader, _ frame: RawSpan) {
    monitor.lock()
    if filling.byteCount + frame.byteCount <= limit {
      filling.append(header, frame)
    } else {
      dropped += 1
    }
    monitor.unlock()
  }

  /// Packets that were dropped because the queue was full.
  public var droppedCount: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return dropped
  }

  /// Swaps the empty `batch` for what has gathered.
  public func take(_ batch: inout PacketBatch) {
    batch.removeAll()
    monitor.lock()
    defer { monitor.unlock() }
    swap(&batch, &filling)
  }
}
