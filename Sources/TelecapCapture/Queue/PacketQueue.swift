import TelecapPlatform
import TelecapRecording

/// A queue between the capturing and the storing thread: two batches, one of which is filled while the other is
/// written. The capturing thread never waits; packets that do not fit are dropped and counted.
public final class PacketQueue: Sendable {
  private struct State {
    var filling = PacketBatch()
    var dropped = 0
  }

  private let limit: Int
  private let state = Locked(State())

  /// A queue of at most `limit` bytes of frames.
  public init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

  /// Appends a packet, or drops it if the queue is full.
  public func offer(_ header: PacketHeader, _ frame: RawSpan) {
    state.with { state in
      if state.filling.byteCount + frame.byteCount <= limit {
        state.filling.append(header, frame)
      } else {
        state.dropped += 1
      }
    }
  }

  /// The number of packets dropped because the queue was full.
  public var droppedCount: Int { state.with { $0.dropped } }

  /// Swaps the empty `batch` for the collected packets.
  public func take(_ batch: inout PacketBatch) {
    batch.removeAll()
    state.with { swap(&batch, &$0.filling) }
  }
}
