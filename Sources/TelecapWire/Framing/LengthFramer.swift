/// A little-endian uint16 length before each message (TELE, Transports).
///
/// Keeps at most one message, 65,537 bytes. A message that lies whole in one piece is not copied.
struct LengthFramer: Framer, Sendable {
  /// A message has at least so many bytes.
  private let shortest: Int
  /// The bytes of a frame that has begun.
  private var pending: [UInt8] = []
  /// A bad length was seen: the rest of the stream means nothing.
  private var isBroken = false

  /// A framer at the start of a stream.
  init(shortest: Int) { self.shortest = shortest }

  /// Takes the next piece; passes on messages, or the bad length that ends the stream.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var at = 0
    while at < bytes.byteCount, !isBroken {
      if pending.isEmpty, let length = UInt16.read(bytes, at: at) {
        guard try accept(Int(length), emit) else { return }
        let end = at + 2 + Int(length)
        if end <= bytes.byteCount {
          try emit(.message, bytes.extracting(at + 2..<end))
          at = end
          continue
        }
      }
      at = try fill(bytes, from: at, emit)
    }
  }

  /// The stream has ended: reports a frame that had begun.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    if !pending.isEmpty {
      let needed = UInt16.read(pending.span.bytes, at: 0).map { Int($0) + 2 } ?? 2
      try emit(.incomplete(needed: needed, had: pending.count), pending.span.bytes)
    }
    pending.removeAll(keepingCapacity: true)
    isBroken = false
  }

  /// Whether a message can have this length; breaks the stream when it cannot.
  private mutating func accept(_ length: Int, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows -> Bool {
    if length >= shortest { return true }
    isBroken = true
    pending.removeAll(keepingCapacity: true)
    try emit(.badLength(length, shortest: shortest), pending.span.bytes)
    return false
  }

  /// Adds to the frame that has begun, up to its end; returns where it stopped reading.
  private mutating func fill(
    _ bytes: RawSpan, from start: Int, _ emit: (FrameEvent, RawSpan) throws -> Void
  ) rethrows -> Int {
    var at = start
    while pending.count < 2, let byte = UInt8.read(bytes, at: at) {
      pending.append(byte)
      at += 1
    }
    guard let length = UInt16.read(pending.span.bytes, at: 0) else { return at }
    if pending.count == 2 { guard try accept(Int(length), emit) else { return bytes.byteCount } }
    let end = min(bytes.byteCount, at + Int(length) + 2 - pending.count)
    bytes.extracting(at..<end).withUnsafeBytes { pending.append(contentsOf: $0) }
    if pending.count == Int(length) + 2 {
      try emit(.message, pending.span.bytes.extracting(2..<pending.count))
      pending.removeAll(keepingCapacity: true)
    }
    return end
  }
}
