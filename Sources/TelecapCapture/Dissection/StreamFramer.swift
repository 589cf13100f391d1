import TelecapWire

/// The framing of a protocol version over a stream, for captures with gaps.
///
/// Length-prefixed messages have no start marker. After a gap, and if the capture began within a connection, the next
/// message is the first plausible length before the start of a message. Bytes before it are reported as skipped.
/// Messages of a fixed size have a known first byte, and their framer resynchronises by itself. Where a delimiter ends each message, the
/// next one begins after the next delimiter.
struct StreamFramer {
  private let dialect: Dialect
  private var framer: MessageFramer
  /// The length before each message by which the next one is found; nil without one, and if any bytes could be one.
  private let prefix: LengthPrefix?
  /// The byte that ends each message; nil without one.
  private let delimiter: UInt8?
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
    if case .length(let prefix) = dialect.framing, prefix.shortest > 0 { self.prefix = prefix } else { prefix = nil }
    delimiter = if case .stuffed(let stuffing) = dialect.framing { stuffing.delimiter } else { nil }
    self.isLost = isLost && (prefix != nil || delimiter != nil)
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
    isLost = prefix != nil || delimiter != nil
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
      let kept = prefix.map { min(bytes.byteCount, dialect.markSize + $0.size - 1) } ?? 0
      skipped += bytes.byteCount - kept
      tail = bytes.extracting(last: kept).withUnsafeBytes { Array($0) }
    }
  }

  /// The start of a frame: a delimiter, or a length that a message can have and the start of a message after it.
  private func start(in bytes: RawSpan) -> Int? {
    if let delimiter { return (0..<bytes.byteCount).first { UInt8.read(bytes, at: $0) == delimiter } }
    guard let prefix, bytes.byteCount >= dialect.markSize + prefix.size else { return nil }
    return (0...bytes.byteCount - dialect.markSize - prefix.size).first { at in
      prefix.read(bytes, at: at).map(prefix.allowed.contains) == true
        && dialect.begins(bytes.extracting(at + prefix.size..<bytes.byteCount))
    }
  }

  private mutating func reportSkipped(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard skipped > 0 else { return }
    let count = skipped
    skipped = 0
    try emit(.skipped(count), RawSpan())
  }
}
