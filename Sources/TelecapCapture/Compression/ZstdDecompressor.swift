/// Decompresses Zstandard with the system's libzstd, which is loaded only if a file needs it. It uses at most 128 MiB
/// (its own window limit, `ZSTD_d_windowLogMax`).
final class ZstdDecompressor: Decompressor {
  private let library: ZstdLibrary
  private let stream: UnsafeMutableRawPointer
  private(set) var isWhole = false

  static let missing = DecompressionFailure(
    reason:
      "this system has no libzstd; install it (apt install libzstd1, brew install zstd), or decompress the file first: zstd -d FILE"
  )

  init() throws(DecompressionFailure) {
    guard let library = ZstdLibrary.shared else { throw ZstdDecompressor.missing }
    guard let stream = library.create() else { throw DecompressionFailure(reason: "there is not enough memory") }
    (self.library, self.stream) = (library, stream)
  }

  deinit { _ = library.free(stream) }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFailure) -> (taken: Int, made: Int) {
    // Without input there may be buffered output, but not after the end of a frame.
    if input.isEmpty, isWhole { return (0, 0) }
    var from = ZstdLibrary.Buffer(bytes: UnsafeMutableRawPointer(mutating: input.baseAddress), size: input.count)
    var to = ZstdLibrary.Buffer(bytes: output.baseAddress, size: output.count)
    let code = library.decompress(stream, &to, &from)
    guard library.isError(code) == 0 else {
      throw DecompressionFailure(reason: library.name(code).map { String(cString: $0) } ?? "libzstd's error \(code)")
    }
    // 0: a frame is decoded and flushed.
    isWhole = code == 0
    return (from.position, to.position)
  }
}

/// The functions of libzstd that we call. They have been stable since version 1.0 (zstd.h, "Streaming decompression").
private struct ZstdLibrary: Sendable {
  /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
  struct Buffer {
    var bytes: UnsafeMutableRawPointer?
    var size: Int
    var position = 0
  }

  typealias Create = @convention(c) () -> UnsafeMutableRawPointer?
  typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Int
  typealias Decompress =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
  typealias IsError = @convention(c) (Int) -> UInt32
  typealias ErrorName = @convention(c) (Int) -> UnsafePointer<CChar>?

  let create: Create
  let free: Free
  let decompress: Decompress
  let isError: IsError
  let name: ErrorName

  /// nil if the system has no libzstd.
  static let shared = ZstdLibrary()

  private init?() {
    guard let library = SharedLibrary.zstd.lazy.compactMap({ SharedLibrary($0) }).first,
      let create = library.function("ZSTD_createDStream", as: Create.self),
      let free = library.function("ZSTD_freeDStream", as: Free.self),
      let decompress = library.function("ZSTD_decompressStream", as: Decompress.self),
      let isError = library.function("ZSTD_isError", as: IsError.self),
      let name = library.function("ZSTD_getErrorName", as: ErrorName.self)
    else { return nil }
    (self.create, self.free, self.decompress, self.isError, self.name) = (create, free, decompress, isError, name)
  }
}
