import TelecapWire

/// The framing that a stream's dialect asks for.
///
/// TELE tcp-v1 has lengths and no mark where a message begins. Behind a gap, and where a capture began within a
/// connection, the next message is found as the first length with TELE behind it; the bytes before are reported as
/// skipped. Mouse packets have their header byte, and their framer finds it by itself.
struct StreamFramer {
  private var tele: TeleFramer?
  private var mouse: MouseFramer?
  /// TELE: where the next message begins is not known.
  private var isLost: Bool
  /// While lost: bytes that may be the beginning of a length and a magic, at most five.
  private var tail: [UInt8] = []
  /// While lost: bytes passed over.
  private var skipped = 0

  /// - Parameter isLost: the first bytes may stand in the middle of a message.
  init(_ dialect: Dialect, isLost: Bool) {
    if dialect == .mouse { mouse = MouseFramer() } else { tele = TeleFramer() }
    self.isLost = isLost && dialect != .mouse
  }

  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    try mouse?.receive(bytes, emit)
    if !isLost {
      try tele?.receive(bytes, emit)
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
    isLost = tele != nil
  }

  /// The stream has ended: what had begun is reported.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    skipped += tail.count
    tail.removeAll()
    try reportSkipped(emit)
    try mouse?.finish(emit)
    try tele?.finish(emit)
  }

  private mutating func search(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    if let start = StreamFramer.start(in: bytes) {
      isLost = false
      tail.removeAll()
      skipped += start
      try reportSkipped(emit)
      try tele?.receive(bytes.extracting(start..<bytes.byteCount), emit)
    } else {
      let kept = min(bytes.byteCount, 5)
      skipped += bytes.byteCount - kept
      tail = bytes.extracting(last: kept).withUnsafeBytes { Array($0) }
    }
  }

  /// Where a frame begins: a length that a message can have, and TELE.
  private static func start(in bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= Header.size else { return nil }
    return (0...bytes.byteCount - Header.size).first { at in
      UInt32.read(bytes, at: at + 2) == Header.magic && Int(UInt16.read(bytes, at: at) ?? 0) >= Header.size
    }
  }

  private mutating func reportSkipped(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    guard skipped > 0 else { return }
    let count = skipped
    skipped = 0
    try emit(.skipped(count), RawSpan())
  }
}
