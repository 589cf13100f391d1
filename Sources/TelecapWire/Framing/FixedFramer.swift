/// Messages of a fixed size, found again at the next byte that begins one when bytes between them are not ours
/// (mouse.md, WiFi packet).
struct FixedFramer: Framer, Sendable {
  private let size: Int
  private let heads: [UInt8]
  /// The bytes of a message that has begun; its first is one that begins messages.
  private var pending: [UInt8] = []
  /// The number of skipped bytes since the last message.
  private var skipped = 0

  /// A framer at the start of a stream.
  init(size: Int, heads: [UInt8]) {
    self.size = size
    self.heads = heads
    pending.reserveCapacity(size)
  }

  /// Takes the next piece; emits packets, and the count of skipped bytes before each. A packet that is whole in
  /// one piece is not copied.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var at = 0
    while let byte = UInt8.read(bytes, at: at) {
      if pending.isEmpty {
        guard heads.contains(byte) else {
          skipped += 1
          at += 1
          continue
        }
        try reportSkipped(emit)
        if bytes.byteCount - at >= size {
          try emit(.message, bytes.extracting(at..<at + size))
          at += size
          continue
        }
      }
      pending.append(byte)
      at += 1
      if pending.count == size {
        try emit(.message, pending.span.bytes)
        pending.removeAll(keepingCapacity: true)
      }
    }
  }

  /// The stream has ended: reports skipped bytes, and a packet that had begun.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    try reportSkipped(emit)
    if !pending.isEmpty {
      try emit(.incomplete(needed: size, had: pending.count), pending.span.bytes)
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
