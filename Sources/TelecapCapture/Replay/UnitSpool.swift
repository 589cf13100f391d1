import TelecapRecording

/// What one side of a recording sent, kept in a file without a name: a recording is read and decoded once, however often it
/// is sent. Several may read it at once.
public final class UnitSpool: Sendable {
  /// Longer ones are read again instead: temporary files may be in memory.
  public static let limit = 256 << 20

  /// What errors call the file.
  private static let name = "temporary file"
  private let file: Descriptor

  fileprivate init(_ file: consuming Descriptor) { self.file = file }

  /// It ends inside a unit: somebody else has cut it.
  private func cutOff(_ offset: Int64) -> CaptureFileError {
    .cannotRead(path: UnitSpool.name, offset: offset, .brokenOff)
  }

  /// Hands on every unit, in order; its bytes are valid during the call only.
  ///
  /// - Throws: `CaptureFileError` when the file cannot be read; what `body` throws.
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

/// What stands before a unit's pieces and bytes.
private struct Head: BitwiseCopyable {
  var unit: ReplayUnit
  var pieces: Int
  var bytes: Int

  /// How many bytes follow.
  var size: Int { pieces * MemoryLayout<StreamPiece>.size + bytes }
}

/// Writes a spool.
public struct UnitSpoolWriter: ~Copyable {
  private let file: Descriptor
  private var pending: [UInt8] = []
  private var written = 0
  private static let chunk = 256 << 10

  /// Begins a file below `TMPDIR` or /tmp.
  ///
  /// - Throws: `ErrnoError` when there can be none.
  public init() throws(ErrnoError) {
    file = try .temporary()
    pending.reserveCapacity(Self.chunk + 4_096)
  }

  /// How many bytes there are.
  public var count: Int { written + pending.count }

  /// Adds the next unit.
  ///
  /// - Throws: `ErrnoError` when the file takes no more: the spool is of no use then.
  public mutating func add(_ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: RawSpan) throws(ErrnoError) {
    let head = Head(unit: unit, pieces: pieces.count, bytes: bytes.byteCount)
    withUnsafeBytes(of: head) { pending.append(contentsOf: $0) }
    for piece in pieces { withUnsafeBytes(of: piece) { pending.append(contentsOf: $0) } }
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
    if pending.count >= Self.chunk { try flush() }
  }

  /// All units are there.
  ///
  /// - Throws: `ErrnoError` when the file takes no more.
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
