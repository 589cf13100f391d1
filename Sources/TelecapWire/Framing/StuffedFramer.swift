/// Messages between delimiters.
///
/// Keeps at most one message as it was encoded. Delimiters that follow one another have no message between them.
struct StuffedFramer: Framer, Sendable {
  /// More bytes than any message has when it is encoded: twice its own with SLIP.
  private static let most = 2 * MessageSizes.maximum

  private let stuffing: ByteStuffing
  /// The bytes since the last delimiter.
  private var pending: [UInt8] = []
  /// The bytes since the last delimiter, if they are too many for a message and are not kept.
  private var dropped = 0

  /// A framer at the start of a stream.
  init(_ stuffing: ByteStuffing) { self.stuffing = stuffing }

  /// Takes the next piece; passes on decoded messages, and the number of bytes of which none could be decoded.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var at = 0
    while let byte = UInt8.read(bytes, at: at) {
      at += 1
      if byte == stuffing.delimiter {
        try end(emit)
      } else if pending.count < StuffedFramer.most, dropped == 0 {
        pending.append(byte)
      } else {
        dropped += pending.count + 1
        pending.removeAll()
      }
    }
  }

  /// The stream has ended: reports a message that had begun.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    let had = pending.count + dropped
    defer { (pending, dropped) = ([], 0) }
    if had > 0 { try emit(.incomplete(needed: had + 1, had: had), pending.span.bytes) }
  }

  private mutating func end(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    let had = pending.count + dropped
    defer {
      pending.removeAll(keepingCapacity: true)
      dropped = 0
    }
    guard had > 0 else { return }
    if dropped == 0, stuffing.decode(&pending), !pending.isEmpty { return try emit(.message, pending.span.bytes) }
    try emit(.skipped(had), RawSpan())
  }
}
