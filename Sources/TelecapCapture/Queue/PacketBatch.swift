import TelecapRecording

/// Packets one behind the other in one piece of memory, which is used again and again.
public struct PacketBatch: Sendable {
  private var headers: [PacketHeader] = []
  /// Where each frame ends in `frames`.
  private var ends: [Int] = []
  private var frames: [UInt8] = []

  /// An empty batch.
  public init() {}

  /// How many packets it holds.
  public var count: Int { headers.count }
  /// How many bytes their frames take.
  public var byteCount: Int { frames.count }

  /// Copies a packet to the end.
  public mutating func append(_ header: PacketHeader, _ frame: RawSpan) {
    headers.append(header)
    frame.withUnsafeBytes { frames.append(contentsOf: $0) }
    ends.append(frames.count)
  }

  /// Hands every packet to `body`, in order.
  public func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) rethrows {
    let bytes = frames.span.bytes
    var start = 0
    for index in headers.indices {
      try body(headers[index], bytes.extracting(start..<ends[index]))
      start = ends[index]
    }
  }

  /// Forgets the packets and keeps the memory.
  public mutating func removeAll() {
    headers.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
  }
}
