import TelecapWire

/// The framing of a protocol version over a stream, for captures with gaps.
///
/// Length-prefixed messages have no start marker. After a gap, and if the capture began within a connection, the next
/// message is the first plausible length before the start of a message. Bytes before it are reported as skipped.
/// Messages of a fixed size have a known first byte, and their framer resynchronises by itself.
struct StreamFramer {
  private let dialect: Dialect
  private var framer: MessageFramer
  /// The minimum length of a length-prefixed message; 0 without a length prefix.
  private let shortest: Int
  /// Whether the start of the next message is unknown.
  private var isLost: Bool
  /// While lost: bytes that may be the start of a length and a message.
  private var tail: [UInt8] = []
  /// While lost: the number of skipped bytes.
  private var skipped = 0

  /// - Parameter isLost: whether the first bytes may be in the middle of a message.
  init(_ dialect: Dialect, isLost: Bool) {
    self.dialect = dialect
    framer = MessageFramer(dialect)
    if case .length16(let shortest) = dialect.framing { self.shortest = shortest } else { shortest = 0 }
    self.isLost = isLost && shortest > 0
  }

  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    if !isLost {
      try framer.receive(bytes, emit)
    } else if tail.isEmpty {
      try search(bytes, emit)
    } else {
      let joined = tail + bytes.withUnsafeBytes { Array($0) }
      try search(joined.span.bytes, emit)
    }
  }

  /// Handles a gap in the stream: reports the incomplete message, and searches for the next.
  mutating func gap(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    try finish(emit)
    isLost = shortest > 0
  }

  /// Handles the end of the stream: reports the incomplete message.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    skipped += tail.count
    tail.removeAll()
    try reportSkipped(emit)
    try framer.finish(emit)
  }

  private mutating func search(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    if let start = start(in: bytes) {
      isLost = false
      tail.removeAll()
      skipped += start
      try reportSkipped(emit)
      try framer.receive(bytes.extracting(start..<bytes.byteCount), emit)
    } else {
      let kept = min(bytes.byteCount, dialect.markSize + 1)
      skipped += bytes.byteCount - kept
      tail = bytes.extracting(last: kept).withUnsafeBytes { Array($0) }
    }
  }

  /// The start of a frame: a length that a message can have, and the start of a message after it.
  private func start(in bytes: RawSpan) -> Int? {
    let needed = dialect.markSize + 2
    guard bytes.byteCount >= needed else { return nil }
    return (0...bytes.byteCount - needed).first { at in
      Int(UInt16.read(bytes, at: at) ?? 0) >= shortest
        && dialect.begins(bytes.extracting(at + 2..<bytes.byteCount))
    }
  }

  private mutating func reportSkipped(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard skipped > 0 else { return }
    let count = skipped
    skipped = 0
    try emit(.skipped(count), RawSpan())
  }
}
