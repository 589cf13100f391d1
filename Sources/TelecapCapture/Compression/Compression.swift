/// The compression of a capture file, detected by its first bytes.
public enum Compression: String, Hashable, Sendable, CaseIterable {
  /// RFC 1952.
  case gzip
  /// RFC 8878.
  case zstd

  /// The magic number.
  var magic: [UInt8] {
    switch self {
    case .gzip: [0x1f, 0x8b]
    case .zstd: [0x28, 0xb5, 0x2f, 0xfd]
    }
  }

  /// The compression of a file with these first bytes; nil without compression.
  init?(_ start: UnsafeRawBufferPointer) {
    if let found = Compression.allCases.first(where: { start.starts(with: $0.magic) }) {
      self = found
    } else if start.count >= 4, start[0] & 0xf0 == 0x50, start[1...3].elementsEqual([0x2a, 0x4d, 0x18]) {
      // A skippable frame (RFC 8878, 3.1.2), as pzstd writes before each part.
      self = .zstd
    } else {
      return nil
    }
  }

  /// Returns a new decompressor.
  ///
  /// - Throws: `DecompressionFailure` if the system has no library for it.
  func decompressor() throws(DecompressionFailure) -> any Decompressor {
    switch self {
    case .gzip: try GzipDecompressor()
    case .zstd: try ZstdDecompressor()
    }
  }
}

/// Decompresses a stream of bytes in constant memory.
protocol Decompressor: AnyObject {
  /// Whether the input may end here: all frames or members so far are complete.
  var isWhole: Bool { get }

  /// Reads bytes from the start of `input` and fills `output` from its start.
  ///
  /// - Returns: the numbers of bytes read and written. If both are 0, it needs more input.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFailure) -> (taken: Int, made: Int)
}

/// The reason why bytes could not be decompressed.
struct DecompressionFailure: Error {
  let reason: String
}

/// A file that is read through a decompressor.
struct CompressedInput: ~Copyable {
  private let decompressor: any Decompressor
  /// The compressed bytes that were read and not consumed.
  private var input: [UInt8]
  private var start = 0
  private var isAtEnd = false

  /// - Parameter beginning: the first bytes of the file, which were read already.
  init(_ compression: Compression, beginning: UnsafeRawBufferPointer) throws(DecompressionFailure) {
    decompressor = try compression.decompressor()
    input = Array(beginning)
  }

  /// Fills `output` from its start; 0 at the end of the file.
  ///
  /// - Throws: `DecompressionFailure`, or any error of `read`.
  mutating func read(
    into output: UnsafeMutableRawBufferPointer,
    from read: (UnsafeMutableRawBufferPointer) throws(ErrnoError) -> Int
  ) throws -> Int {
    while true {
      let (taken, made) = try input.withUnsafeBytes { bytes in
        try decompressor.decompress(UnsafeRawBufferPointer(rebasing: bytes[start...]), into: output)
      }
      start += taken
      if made > 0 { return made }
      if isAtEnd {
        guard start < input.count || decompressor.isWhole else {
          throw DecompressionFailure(reason: "its end is missing")
        }
        if start == input.count { return 0 }
      }
      if start == input.count {
        try fill(read)
      } else if taken == 0 {
        throw DecompressionFailure(reason: "it cannot go on")
      }
    }
  }

  private mutating func fill(_ read: (UnsafeMutableRawBufferPointer) throws(ErrnoError) -> Int) throws {
    if input.count != ByteSource.chunk { input = [UInt8](repeating: 0, count: ByteSource.chunk) }
    let count = try input.withUnsafeMutableBytes { try read($0) }
    isAtEnd = count == 0
    // The array keeps its size, so move the bytes to its end.
    start = input.count - count
    input.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress, count > 0 else { return }
      (base + start).copyMemory(from: base, byteCount: count)
    }
  }
}
