import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapTransport

extension CaptureReader {
  /// Calls `body` with each packet, in the order of their numbers, while threads of their own read ahead: SQLite takes
  /// longer than what is made of the packets, so of a long capture two connections read ranges of it in turns.
  ///
  /// - Throws: `StoreError`, after all packets before it; what `body` throws.
  func forEachPacketAhead(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    let ranges = PacketRanges(last: try? lastNumber())
    let lanes = try (0..<ranges.readers).map { try Lane($0 == 0 ? self : another(), ranges, place: $0) }
    try Lane.running(lanes[...]) { try Lane.merge(lanes, body) }
  }
}

/// The numbers that each of the readers of a capture is to read, as ranges that follow one another in turns.
struct PacketRanges {
  /// So many numbers go from one reader to the next: about as many packets as a batch holds.
  static let length = 1_024
  /// How many readers there are: two of a long capture.
  let readers: Int
  private let count: Int

  /// Of a capture whose last packet has this number; nil where that is not known.
  init(last: Int?) {
    let isLong = (last ?? 0) > 8 * PacketRanges.length
    readers = isLong ? 2 : 1
    count = isLong ? (last ?? 0) / PacketRanges.length + 1 : 1
  }

  /// The ranges of a reader, as numbers above the first and up to the last. The first and the last of all are open: a
  /// number below 1 is damage, and a recording grows.
  func of(reader: Int) -> some Sequence<(after: Int, upTo: Int)> {
    stride(from: reader, to: count, by: readers).lazy.map { [count] place in
      let end = (place + 1) * PacketRanges.length
      return (place == 0 ? .min : end - PacketRanges.length, place == count - 1 ? .max : end)
    }
  }
}

/// One reader of a capture, and what it hands over.
private final class Lane: Sendable {
  let handover = BatchHandover()
  private let reader: CaptureReader
  private let ranges: PacketRanges
  private let place: Int
  private let failure = Locked<(any Error)?>(nil)

  /// Nobody wants more.
  private struct Unwanted: Error {}

  /// The reader of this place among those of the capture.
  init(_ reader: CaptureReader, _ ranges: PacketRanges, place: Int) {
    (self.reader, self.ranges, self.place) = (reader, ranges, place)
  }

  /// Calls `body` while a thread of its own reads each of the lanes, and ends them with it.
  static func running(_ lanes: ArraySlice<Lane>, _ body: () throws -> Void) throws {
    guard let lane = lanes.first else { return try body() }
    let worker = try Worker { lane.read() }
    let result = Result { try running(lanes.dropFirst(), body) }
    lane.handover.end()
    worker.join()
    try result.get()
  }

  private func read() {
    var batch = PacketBatch()
    do {
      for range in ranges.of(reader: place) {
        try reader.forEachPacket(after: range.after, upTo: range.upTo) { header, frame in
          batch.append(header, frame)
          if batch.byteCount >= BatchHandover.size, !handover.put(&batch) { throw Unwanted() }
        }
        batch.endsRange = true
        if !handover.put(&batch) { return }
      }
    } catch is Unwanted {
      return
    } catch {
      _ = handover.put(&batch)
      failure.with { $0 = error }
    }
    handover.end()
  }

  /// Hands on what the lanes have read, a range of each in turns, until one has no more.
  static func merge(_ lanes: [Lane], _ body: (PacketHeader, RawSpan) throws -> Void) throws {
    var batch = PacketBatch()
    var turn = 0
    while lanes[turn].handover.take(&batch) {
      try batch.forEach(body)
      if batch.endsRange { turn = (turn + 1) % lanes.count }
    }
    if let error = lanes[turn].failure.with({ $0 }) { throw error }
  }
}
