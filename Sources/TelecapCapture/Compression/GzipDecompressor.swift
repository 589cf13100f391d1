import CZlib

/// Decompresses gzip with zlib, including concatenated members, as `gzip -d` does (RFC 1952 §2.2).
final class GzipDecompressor: Decompressor {
  /// A pointer, because zlib stores the address of its state.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var isWhole = false

  init() throws(DecompressionFailure) {
    stream.initialize(to: z_stream())
    // The largest window; plus 16 for a gzip header instead of zlib's.
    let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw failure(code) }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFailure) -> (taken: Int, made: Int) {
    var skipped = 0
    if isWhole {
      // Zeros are padding of tapes; any other byte starts the next member.
      skipped = input.prefix { $0 == 0 }.count
      guard skipped < input.count else { return (skipped, 0) }
      inflateReset(stream)
      isWhole = false
    }
    let rest = input[skipped...]
    let (room, count) = (UInt32(clamping: output.count), UInt32(clamping: rest.count))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: UnsafeRawBufferPointer(rebasing: rest).bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = count
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = room
    let code = inflate(stream, Z_NO_FLUSH)
    let (taken, made) = (Int(count - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isWhole = true
    // Deliver the bytes before the error; the next call returns the error again.
    default: if made == 0 { throw failure(code) }
    }
    return (skipped + taken, made)
  }

  private func failure(_ code: Int32) -> DecompressionFailure {
    let words = stream.pointee.msg.map { String(cString: $0) }
    return DecompressionFailure(reason: words ?? "zlib's error \(code)")
  }
}
