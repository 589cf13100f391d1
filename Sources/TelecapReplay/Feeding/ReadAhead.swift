import TelecapCapture
import TelecapPlatform
import TelecapRecording
import TelecapStore
import TelecapTransport

extension CaptureReader {
  /// Calls `body` with each packet, in the order of their numbers, while a thread of its own reads ahead: SQLite takes as long
  /// as what is made of the packets.
  ///
  /// - Throws: `StoreError`, after all packets before it; what `body` throws.
  func forEachPacketAhead(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    let handover = BatchHandover()
    let failure = Locked<(any Error)?>(nil)
    let worker = try Worker {
      do {
        try self.read(into: handover)
      } catch {
        failure.with { $0 = error }
      }
      handover.end()
    }
    let result = Result {
      var batch = PacketBatch()
      while handover.take(&batch) { try batch.forEach(body) }
    }
    handover.end()
    worker.join()
    try result.get()
    if let error = failure.with({ $0 }) { throw error }
  }

  /// Nobody wants more.
  private struct Unwanted: Error {}

  private func read(into handover: BatchHandover) throws {
    var batch = PacketBatch()
    do {
      try forEachPacket { header, frame in
        batch.append(header, frame)
        if batch.byteCount >= BatchHandover.size, !handover.put(&batch) { throw Unwanted() }
      }
    } catch is Unwanted {
      return
    } catch {
      _ = handover.put(&batch)
      throw error
    }
    _ = handover.put(&batch)
  }
}
