/// Mouse control over TCP: consecutive packets of five bytes, found again at the next header byte when bytes between
/// them are not ours (mouse.md, WiFi packet).
public struct MouseFramer: Framer, Sendable {
  /// The bytes of a packet that has begun; its first is a header.
  private var pending: [UInt8] = []
  /// How many bytes were passed over since the last packet.
  private var skipped = 0

  /// A framer at the start of a stream.
  public init() { pending.reserveCapacity(MousePacket.size) }

  /// Takes the next piece; passes on packets, and the count of bytes passed over before each.
  public mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    for index in 0..<bytes.byteCount {
      guard let byte = UInt8.read(bytes, at: index) else { return }
      if pending.isEmpty, byte != MousePacket.movementHeader, byte != MousePacket.controlHeader {
        skipped += 1
        continue
      }
      try reportSkipped(emit)
      pending.append(byte)
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
