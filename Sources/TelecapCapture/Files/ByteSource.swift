/// Reads a file or pipe in large blocks: a window of bytes that moves forward and is never larger than requested. Bytes
/// and offsets of a compressed file are those of its decompressed contents.
struct ByteSource: ~Copyable {
  /// The number of bytes in one read.
  static let chunk = 128 * 1024

  let path: String
  /// The offset in the file of the window's first byte.
  private(set) var offset: Int64 = 0
  private let descriptor: Descriptor
  /// Whether it has its own file offset, because the descriptor has other readers.
  private let isPositioned: Bool
  /// The compression of the file; nil without compression.
  private(set) var compression: Compression?
  /// The decompressor of the file; nil without compression.
  private var compressed: CompressedInput?
  private var buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  init(path: String) throws(CaptureFileError) {
    do throws(ErrnoError) {
      self.init(path: path, descriptor: try .reading(path))
    } catch {
      throw .cannotOpen(path: path, error)
    }
  }

  init(path: String, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
    isPositioned = false
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  /// Reads a file from its start, independently of other readers; `path` is its name in errors.
  init(path: String, positioned file: borrowing Descriptor) {
    self.path = path
    descriptor = Descriptor(borrowing: file.number)
    isPositioned = true
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Decompresses the file from its first byte on, which must be the window's first.
  mutating func decompress(_ compression: Compression) throws(CaptureFileError) {
    do {
      compressed = try CompressedInput(compression, beginning: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
    } catch {
      throw .noDecompressor(path: path, compression, reason: error.reason)
    }
    self.compression = compression
    (start, end) = (0, 0)
  }

  /// The number of bytes in the window.
  var available: Int {
    @inline(__always) get { end - start }
  }

  /// The window's first byte. Valid until the next `has` or `skip`.
  var bytes: UnsafeRawPointer {
    @inline(__always) get { UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped) + start }
  }

  /// Overwrites bytes of the window that are no longer needed with a header for the bytes after them.
  mutating func replace(_ at: Int, with bytes: [UInt8]) {
    precondition(at >= 0 && at + bytes.count <= available)
    for (index, byte) in bytes.enumerated() { buffer[start + at + index] = byte }
  }

  /// Whether the window has `count` bytes, after reading on if necessary; false if the file ends before.
  @inline(__always)
  mutating func has(_ count: Int) throws(CaptureFileError) -> Bool {
    if end - start >= count { return true }
    return try refill(count)
  }

  @inline(never)
  private mutating func refill(_ count: Int) throws(CaptureFileError) -> Bool {
    makeRoom(count)
    while available < count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
      let got = try read(into: room)
      if got == 0 { return false }
      end += got
    }
    return true
  }

  private mutating func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
    let place = offset + Int64(available)
    do {
      if isPositioned { return try descriptor.read(into: room, at: Int(place)) }
      guard var input = compressed.take() else { return try descriptor.read(into: room) }
      let result = Result {
        try input.read(into: room) { (bytes) throws(ErrnoError) in try descriptor.read(into: bytes) }
      }
      compressed = consume input
      return try result.get()
    } catch let error as ErrnoError {
      throw .cannotRead(path: path, offset: place, error)
    } catch {
      let reason = (error as? DecompressionFailure)?.reason ?? "\(error)"
      throw .cannotDecompress(path: path, offset: place, compression ?? .gzip, reason: reason)
    }
  }

  /// Moves the window to the start of the buffer, or into a larger one if `count` does not fit. Callers limit `count`.
  private mutating func makeRoom(_ count: Int) {
    let window = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start..<end])
    if count <= buffer.count {
      buffer.copyMemory(from: window)
    } else {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      larger.copyMemory(from: window)
      buffer.deallocate()
      buffer = larger
    }
    end -= start
    start = 0
  }

  /// Skips `count` bytes of the window.
  @inline(__always)
  mutating func advance(_ count: Int) {
    assert(count <= available)
    start += count
    offset += Int64(count)
  }

  /// Skips `count` bytes of the file without storing them, and returns how many there were.
  mutating func skip(_ count: Int) throws(CaptureFileError) -> Int {
    var left = count
    while left > 0 {
      let step = min(left, available)
      advance(step)
      left -= step
      if left > 0, try !has(1) { break }
    }
    return count - left
  }
}

extension UnsafeRawPointer {
  /// An integer in the file's byte order. The caller has checked that its bytes are in the window.
  @inline(__always)
  func integer<T: FixedWidthInteger & BitwiseCopyable>(_ at: Int, as: T.Type = T.self, swapped: Bool) -> T {
    let value = loadUnaligned(fromByteOffset: at, as: T.self)
    return swapped ? value.byteSwapped : value
  }
}
