import TelecapRecording

/// The packets of one side of a recording in an unnamed file, so that a recording is read and decoded once, however
/// often it is sent. Several readers may use it at once.
public final class UnitSpool: Sendable {
  /// The maximum size; longer recordings are read again instead, because temporary files may be in memory.
  public static let limit = 256 << 20

  /// The name of the file in errors.
  private static let name = "temporary file"
  private let file: Descriptor

  fileprivate init(_ file: consuming Descriptor) { self.file = file }

  /// The error for a file that ends inside a unit: another process truncated it.
  private func cutOff(_ offset: Int64) -> CaptureFileError {
    .cannotRead(path: UnitSpool.name, offset: offset, .brokenOff)
  }

  /// Passes every unit to `body`, in order; its bytes are valid only during the call.
  ///
  /// - Throws: `CaptureFileError` if the file cannot be read; any error of `body`.
  public func forEach(_ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void) throws {
    var source = ByteSource(path: UnitSpool.name, positioned: file)
    var pieces: [StreamPiece] = []
    while try source.has(1) {
      guard try source.has(MemoryLayout<Head>.size) else { throw cutOff(source.offset) }
      let head = source.bytes.loadUnaligned(as: Head.self)
      source.advance(MemoryLayout<Head>.size)
      guard try source.has(head.size) else { throw cutOff(source.offset) }
      if !pieces.isEmpty { pieces.removeAll(keepingCapacity: true) }
      for _ in 0..<head.pieces {
        pieces.append(source.bytes.loadUnaligned(as: StreamPiece.self))
        source.advance(MemoryLayout<StreamPiece>.size)
      }
      try body(head.unit, pieces, UnsafeRawBufferPointer(start: source.bytes, count: head.bytes).bytes)
      source.advance(head.bytes)
    }
  }
}

/// The header before a unit's stream events and bytes.
private struct Head: BitwiseCopyable {
  var unit: ReplayUnit
  var pieces: Int
  var bytes: Int

  /// The number of bytes that follow.
  var size: Int { pieces * MemoryLayout<StreamPiece>.size + bytes }
}

/// Writes a spool.
public struct UnitSpoolWriter: ~Copyable {
  private let file: Descriptor
  private var pending: [UInt8] = []
  private var written = 0
  private static let chunk = 256 << 10

  /// Creates a file in `TMPDIR` or /tmp.
  ///
  /// - Throws: `ErrnoError` if it cannot be created.
  public init() throws(ErrnoError) {
    file = try .temporary()
    pending.reserveCapacity(Self.chunk + 4_096)
  }

  /// The number of bytes so far.
  public var count: Int { written + pending.count }

  /// Appends a unit.
  ///
  /// - Throws: `ErrnoError` if it cannot be written; then the spool is unusable.
  public mutating func add(_ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: RawSpan) throws(ErrnoError) {
    let head = Head(unit: unit, pieces: pieces.count, bytes: bytes.byteCount)
    withUnsafeBytes(of: head) { pending.append(contentsOf: $0) }
    for piece in pieces { withUnsafeBytes(of: piece) { pending.append(contentsOf: $0) } }
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
    if pending.count >= Self.chunk { try flush() }
  }

  /// Ends writing.
  ///
  /// - Throws: `ErrnoError` if it cannot be written.
  public consuming func finish() throws(ErrnoError) -> UnitSpool {
    try flush()
    return UnitSpool(file)
  }

  private mutating func flush() throws(ErrnoError) {
    try file.write(pending)
    written += pending.count
    pending.removeAll(keepingCapacity: true)
  }
}
