import TelecapCapture
import TelecapPlatform
import TelecapRecording
import TelecapStore
import TelecapTransport

extension CaptureReader {
  /// The number of bytes of frames in a batch.
  private static let batchSize = 128 << 10

  /// Calls `body` with each packet, in the order of numbers, while another thread reads ahead, since SQLite takes as
  /// long as the work on the packets.
  ///
  /// - Throws: `StoreError`, after all packets before it; errors of `body`.
  func forEachPacketAhead(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    // While one batch is filled, another is processed, and a third may be in the queue.
    let queue = BoundedQueue<PacketBatch>(capacity: 1)
    let worker = try Worker { queue.produce { try self.read(into: queue) } }
    let result = Result {
      while let batch = try queue.take() {
        try batch.forEach(body)
        queue.recycle(batch)
      }
    }
    queue.cancel()
    worker.join()
    try result.get()
  }

  private func read(into queue: BoundedQueue<PacketBatch>) throws {
    var batch = PacketBatch()
    let result = Result {
      try forEachPacket { header, frame in
        batch.append(header, frame)
        guard batch.byteCount >= CaptureReader.batchSize else { return }
        try queue.put(batch)
        batch = queue.takeSpare() ?? PacketBatch()
        batch.removeAll()
      }
    }
    try queue.put(batch)
    try result.get()
  }
}
