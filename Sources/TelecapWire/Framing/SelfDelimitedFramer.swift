/// Messages that follow one another without a frame, each of which shows its own size.
///
/// Bytes that begin no message are skipped up to the next identity; if a protocol has none, up to the end of the stream,
/// since any byte could begin a message. Keeps at most one message and the last piece.
struct SelfDelimitedFramer: Framer, Sendable {
  private let sizes: MessageSizes
  /// The bytes of a message that has begun.
  private var pending: [UInt8] = []
  /// The number of skipped bytes since the last message.
  private var skipped = 0
  /// Nothing after these bytes can be understood.
  private var isBroken = false

  /// A framer at the start of a stream.
  init(_ sizes: MessageSizes) { self.sizes = sizes }

  /// Takes the next piece; emits messages, and the count of skipped bytes before each. A message that is whole in
  /// one piece is not copied.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard !pending.isEmpty else {
      let taken = try cut(bytes, emit)
      bytes.extracting(droppingFirst: taken).withUnsafeBytes { pending.append(contentsOf: $0) }
      return
    }
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
    // The bytes leave their place while they are read, so that they are not copied.
    var joined: [UInt8] = []
    swap(&joined, &pending)
    joined.removeFirst(try cut(joined.span.bytes, emit))
    pending = joined
  }

  /// The stream has ended: reports skipped bytes, and a message that had begun.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    var rest: [UInt8] = []
    swap(&rest, &pending)
    isBroken = false
    try reportSkipped(emit)
    guard !rest.isEmpty else { return }
    switch sizes.extent(of: rest.span.bytes) {
    case .bytes(let needed), .undecided(let needed):
      try emit(.incomplete(needed: needed, had: rest.count), rest.span.bytes)
    case .toEnd: try emit(.message, rest.span.bytes)
    case .foreign: try emit(.skipped(rest.count), RawSpan())
    }
  }

  /// Emits the messages that are whole; returns the number of bytes that were read or skipped.
  private mutating func cut(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows -> Int {
    var at = 0
    while at < bytes.byteCount, !isBroken {
      let rest = bytes.extracting(droppingFirst: at)
      switch sizes.extent(of: rest) {
      case .bytes(let size) where size <= rest.byteCount:
        try reportSkipped(emit)
        try emit(.message, rest.extracting(first: size))
        at += size
      case .toEnd where rest.byteCount > MessageSizes.maximum, .foreign:
        isBroken = !sizes.hasMark
        skipped += 1
        at += 1
      case .bytes, .undecided, .toEnd: return at
      }
    }
    skipped += bytes.byteCount - at
    return bytes.byteCount
  }

  private mutating func reportSkipped(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard skipped > 0 else { return }
    let count = skipped
    skipped = 0
    try emit(.skipped(count), RawSpan())
  }
}
