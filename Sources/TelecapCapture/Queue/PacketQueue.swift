import TelecapPlatform
import TelecapRecording

/// Between the thread that captures and the one that stores: two batches, one being filled while the other is written.
/// The one who captures never waits; what does not fit is dropped and counted.
public final class PacketQueue: Sendable {
  private struct State {
    var filling = PacketBatch()
    var dropped = 0
  }

  private let limit: Int
  private let state = Locked(State())

  /// A queue that holds `limit` bytes of frames at most.
  public init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

  /// Adds a packet, or drops it when the queue is full.
  public func offer(_ header: PacketHeader, _ frame: RawSpan) {
    state.with { state in
      if state.filling.byteCount + frame.byteCount <= limit {
        state.filling.append(header, frame)
      } else {
        state.dropped += 1
      }
    }
  }

  /// Packets that were dropped because the queue was full.
  public var droppedCount: Int { state.with { $0.dropped } }

  /// Swaps the empty `batch` for what has gathered.
  public func take(_ batch: inout PacketBatch) {
    batch.removeAll()
    state.with { swap(&batch, &$0.filling) }
  }
}
