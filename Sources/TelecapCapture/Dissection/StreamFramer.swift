import TelecapWire

/// The framing that a stream's dialect asks for, for a capture in which pieces may be missing.
///
/// Messages behind a length have no mark where they begin. Behind a gap, and where a capture began within a connection, the
/// next one is found as the first length with the beginning of a message behind it; the bytes before are reported as
/// skipped. Messages of a fixed size have their first byte, and their framer finds it by itself.
struct StreamFramer {
  private let dialect: Dialect
  private var framer: MessageFramer
  /// The fewest bytes of a message behind a length; 0 where there is no length.
  private let shortest: Int
  /// Where the next message begins is not known.
  private var isLost: Bool
  /// While lost: bytes that may be the beginning of a length and a message.
  private var tail: [UInt8] = []
  /// While lost: bytes passed over.
  private var skipped = 0

  /// - Parameter isLost: the first bytes may stand in the middle of a message.
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

  /// A piece of the stream is missing: what had begun is reported, and the next message has to be found.
  mutating func gap(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    try finish(emit)
    isLost = shortest > 0
  }

  /// The stream has ended: what had begun is reported.
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

  /// Where a frame begins: a length that a message can have, and a message behind it.
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
