import TelecapRecording

/// Packets one behind the other in one piece of memory, which is used again and again.
public struct PacketBatch: Sendable {
  /// Each packet's header, and where its frame ends in `frames`.
  private var packets: [(header: PacketHeader, end: Int)] = []
  private var frames: [UInt8] = []

  /// An empty batch.
  public init() {}

  /// How many bytes their frames take.
  public var byteCount: Int { frames.count }

  /// Copies a packet to the end.
  public mutating func append(_ header: PacketHeader, _ frame: RawSpan) {
    frame.withUnsafeBytes { frames.append(contentsOf: $0) }
    packets.append((header, frames.count))
  }

  /// Hands every packet to `body`, in order.
  public func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) rethrows {
    let bytes = frames.span.bytes
    var start = 0
    for (header, end) in packets {
      try body(header, bytes.extracting(start..<end))
      start = end
    }
  }

  /// Forgets the packets and keeps the memory.
  public mutating func removeAll() {
    packets.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
  }
}
