/// Writes a file in large blocks. Bytes are written only when they are flushed.
struct FileOutput: ~Copyable {
  static let chunk = 256 * 1024

  let path: String
  private let descriptor: Descriptor
  /// Whether it was created here and contains only our bytes.
  private let isOwn: Bool
  private var pending: [UInt8] = []
  /// The number of bytes that the system has accepted.
  private(set) var written: Int64 = 0

  /// - Parameter name: the file's name in errors; by default its path.
  init(path: String, named name: String? = nil) throws(CaptureFileError) {
    do throws(ErrnoError) {
      self.init(path: name ?? path, descriptor: try .writing(path), isOwn: Descriptor.number(namedBy: path) == nil)
    } catch {
      throw .cannotOpen(path: name ?? path, error)
    }
  }

  init(path: String, descriptor: consuming Descriptor, isOwn: Bool = false) {
    self.path = path
    self.descriptor = descriptor
    self.isOwn = isOwn
    pending.reserveCapacity(Self.chunk + 4096)
  }

  /// Appends an integer in this machine's byte order, in which we write.
  @inline(__always)
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    withUnsafeBytes(of: value) { pending.append(contentsOf: $0) }
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
  }

  /// Appends text, padded with zeros to a multiple of four bytes.
  mutating func appendPadded(_ text: some Collection<UInt8>) {
    pending.append(contentsOf: text)
    pad(text.count)
  }

  /// Appends the zeros after `count` bytes up to a multiple of four.
  @inline(__always)
  mutating func pad(_ count: Int) {
    for _ in count..<count.paddedTo4 { pending.append(0) }
  }

  /// Writes the buffer if it is large enough.
  @inline(__always)
  mutating func flushIfFull() throws(CaptureFileError) {
    if pending.count >= Self.chunk { try flush() }
  }

  /// Writes the buffer. After an error the rest is discarded and a partial write is truncated, so that the file
  /// contains only complete writes; the caller stops.
  mutating func flush() throws(CaptureFileError) {
    let count = pending.count
    do {
      try pending.withUnsafeBytes { try descriptor.write($0) }
    } catch let error as ErrnoError {
      pending.removeAll(keepingCapacity: true)
      if isOwn { descriptor.cut(to: written) }
      throw .cannotWrite(path: path, offset: written, error)
    } catch {
      return
    }
    written += Int64(count)
    pending.removeAll(keepingCapacity: true)
  }
}
