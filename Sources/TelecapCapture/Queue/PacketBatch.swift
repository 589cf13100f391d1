import TelecapRecording

/// Packets in one contiguous buffer that is reused.
public struct PacketBatch: Sendable {
  /// Each packet's header, and the end of its frame in `frames`.
  private var packets: [(header: PacketHeader, end: Int)] = []
  private var frames: [UInt8] = []

  /// An empty batch.
  public init() {}

  /// The number of bytes of the frames.
  public var byteCount: Int { frames.count }

  /// Appends a copy of a packet.
  public mutating func append(_ header: PacketHeader, _ frame: RawSpan) {
    frame.withUnsafeBytes { frames.append(contentsOf: $0) }
    packets.append((header, frames.count))
  }

  /// Passes every packet to `body`, in order.
  public func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) rethrows {
    let bytes = frames.span.bytes
    var start = 0
    for (header, end) in packets {
      try body(header, bytes.extracting(start..<end))
      start = end
    }
  }

  /// Removes the packets and keeps the memory.
  public mutating func removeAll() {
    packets.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
  }
}
