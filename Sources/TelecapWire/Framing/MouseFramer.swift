/// Mouse control over TCP: consecutive packets of five bytes, found again at the next header byte when bytes between
/// them are not ours (mouse.md, WiFi packet).
public struct MouseFramer: Framer, Sendable {
  /// The bytes of a packet that has begun; its first is a header.
  private var pending: [UInt8] = []
  /// How many bytes were passed over since the last packet.
  private var skipped = 0

  /// A framer at the start of a stream.
  public init() { pending.reserveCapacity(MousePacket.size) }

  /// Takes the next piece; passes on packets, and the count of bytes passed over before each. A packet that lies whole in
  /// one piece is not copied.
  public mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var at = 0
    while let byte = UInt8.read(bytes, at: at) {
      if pending.isEmpty {
        guard byte == MousePacket.movementHeader || byte == MousePacket.controlHeader else {
          skipped += 1
          at += 1
          continue
        }
        try reportSkipped(emit)
        if bytes.byteCount - at >= MousePacket.size {
          try emit(.message, bytes.extracting(at..<at + MousePacket.size))
          at += MousePacket.size
          continue
        }
      }
      pending.append(byte)
      at += 1
      if pending.count == MousePacket.size {
        try emit(.message, pending.span.bytes)
        pending.removeAll(keepingCapacity: true)
      }
    }
  }

  /// The stream has ended: reports bytes passed over, and a packet that had begun.
  public mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    try reportSkipped(emit)
    if !pending.isEmpty {
      try emit(.incomplete(needed: MousePacket.size, had: pending.count), pending.span.bytes)
      pending.removeAll(keepingCapacity: true)
    }
  }

  private mutating func reportSkipped(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard skipped > 0 else { return }
    let count = skipped
    skipped = 0
    try emit(.skipped(count), pending.span.bytes)
  }
}
