/// Messages after their lengths.
///
/// Keeps at most one message, some 65,540 bytes. A message that is whole in one piece is not copied.
struct LengthFramer: Framer, Sendable {
  private let prefix: LengthPrefix
  /// The bytes of a frame that has begun.
  private var pending: [UInt8] = []
  /// After an invalid length the rest of the stream cannot be read.
  private var isBroken = false

  /// A framer at the start of a stream.
  init(_ prefix: LengthPrefix) { self.prefix = prefix }

  /// Takes the next piece; passes on messages, or the bad length that ends the stream.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var at = 0
    while at < bytes.byteCount, !isBroken {
      if pending.isEmpty, let number = prefix.read(bytes, at: at) {
        guard let size = try frameSize(number, emit) else { return }
        if at + size <= bytes.byteCount {
          try emit(.message, bytes.extracting(at + prefix.size..<at + size))
          at += size
          continue
        }
      }
      at = try fill(bytes, from: at, emit)
    }
  }

  /// The stream has ended: reports a frame that had begun.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    if !pending.isEmpty {
      let needed = prefix.read(pending.span.bytes, at: 0).map { $0 - prefix.extra } ?? 0
      try emit(.incomplete(needed: needed + prefix.size, had: pending.count), pending.span.bytes)
    }
    pending.removeAll(keepingCapacity: true)
    isBroken = false
  }

  /// The size of the frame with this length; nil, and the stream is broken, if no message has it.
  private mutating func frameSize(
    _ number: Int, _ emit: (FrameEvent, RawSpan) throws -> Void
  ) rethrows -> Int? {
    if prefix.allowed.contains(number) { return number - prefix.extra + prefix.size }
    isBroken = true
    pending.removeAll(keepingCapacity: true)
    try emit(.badLength(number, allowed: prefix.allowed), pending.span.bytes)
    return nil
  }

  /// Adds to the frame that has begun, up to its end; returns where it stopped reading.
  private mutating func fill(
    _ bytes: RawSpan, from start: Int, _ emit: (FrameEvent, RawSpan) throws -> Void
  ) rethrows -> Int {
    var at = start
    while pending.count < prefix.size, let byte = UInt8.read(bytes, at: at) {
      pending.append(byte)
      at += 1
    }
    guard let number = prefix.read(pending.span.bytes, at: 0) else { return at }
    guard let size = try frameSize(number, emit) else { return bytes.byteCount }
    let end = min(bytes.byteCount, at + size - pending.count)
    bytes.extracting(at..<end).withUnsafeBytes { pending.append(contentsOf: $0) }
    if pending.count == size {
      try emit(.message, pending.span.bytes.extracting(prefix.size..<size))
      pending.removeAll(keepingCapacity: true)
    }
    return end
  }
}
