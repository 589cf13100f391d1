/// A file written in large pieces. What is not flushed is not written.
struct FileOutput: ~Copyable {
  static let chunk = 256 * 1024

  let path: String
  private let descriptor: Descriptor
  /// It was made here and holds nothing but what was written here.
  private let isOwn: Bool
  private var pending: [UInt8] = []
  /// How many bytes the system has taken.
  private(set) var written: Int64 = 0

  /// - Parameter name: what the file is called in errors; its path unless given.
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

  /// Adds an integer in this machine's byte order, which is the one we write.
  @inline(__always)
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    withUnsafeBytes(of: value) { pending.append(contentsOf: $0) }
  }

  /// Adds bytes.
  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
  }

  /// Adds text, and zeros up to a multiple of four bytes.
  mutating func appendPadded(_ text: some Collection<UInt8>) {
    pending.append(contentsOf: text)
    pad(text.count)
  }

  /// Adds the zeros that follow `count` bytes up to a multiple of four.
  @inline(__always)
  mutating func pad(_ count: Int) {
    for _ in count..<count.paddedTo4 { pending.append(0) }
  }

  /// Hands on what has gathered, once it is worth it.
  @inline(__always)
  mutating func flushIfFull() throws(CaptureFileError) {
    if pending.count >= Self.chunk { try flush() }
  }

  /// Hands on what has gathered. What the system refused is dropped, a part that it took of it too: what the file holds is whole. The
  /// caller stops.
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
