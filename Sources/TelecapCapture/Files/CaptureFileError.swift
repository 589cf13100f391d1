/// The reason why a capture file could not be read or written. Everything before `offset` was delivered.
public enum CaptureFileError: Error, Hashable, Sendable {
  /// A part of a file with a length of its own.
  public enum Part: String, Hashable, Sendable {
    /// The bytes at the start of a pcap, btsnoop or snoop file.
    case fileHeader = "the file header"
    /// A packet with its header, in formats without blocks.
    case record = "the packet record"
    /// A pcapng section header block.
    case sectionHeader = "the section header block"
    /// Another pcapng block.
    case block = "the block"
  }

  /// The file cannot be opened or created.
  case cannotOpen(path: String, ErrnoError)
  /// Reading failed at this byte.
  case cannotRead(path: String, offset: Int64, ErrnoError)
  /// Writing failed after this number of bytes.
  case cannotWrite(path: String, offset: Int64, ErrnoError)
  /// The system has no library for the file's compression; `reason` names it and how to install it.
  case noDecompressor(path: String, Compression, reason: String)
  /// Decompression failed after `offset` bytes of the decompressed contents.
  case cannotDecompress(path: String, offset: Int64, Compression, reason: String)
  /// The file has none of the formats; `looksLike` says what it probably is.
  case notCapture(path: String, looksLike: String)
  /// The file ends inside the part that begins at `offset`: it needs `needed` bytes and has `had`.
  case truncated(path: String, offset: Int64, Part, needed: Int, had: Int)
  /// The part that begins at `offset` contradicts itself or the format.
  case damaged(path: String, offset: Int64, Part, reason: String)

  /// The path as given.
  public var path: String {
    switch self {
    case .cannotOpen(let path, _), .cannotRead(let path, _, _), .cannotWrite(let path, _, _),
      .noDecompressor(let path, _, _), .cannotDecompress(let path, _, _, _), .notCapture(let path, _),
      .truncated(let path, _, _, _, _), .damaged(let path, _, _, _):
      path
    }
  }
}

extension CaptureFileError: CustomStringConvertible {
  /// A sentence with the problem, its location, and the advice.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let error):
      "\(path): cannot be opened: \(error)"
    case .cannotRead(let path, let offset, let error):
      "\(path): reading failed at byte \(offset): \(error)"
    case .cannotWrite(let path, let offset, let error):
      "\(path): writing failed after \(offset) bytes: \(error)"
        + (error.isDiskFull ? "; make room and run it again" : "")
    case .noDecompressor(let path, let compression, let reason):
      "\(path): it is compressed with \(compression.rawValue), and \(reason)"
    case .cannotDecompress(let path, let offset, let compression, let reason):
      "\(path): \(compression.rawValue) decompression failed after byte \(offset) of the decompressed capture: \(reason)"
        + (offset > 0 ? "; the packets before it were read; copy or compress the file again for the rest" : "")
    case .notCapture(let path, let looksLike):
      "\(path): not a capture file: \(looksLike); give a pcap, pcapng, btsnoop, snoop or PacketLogger file"
    case .truncated(let path, let offset, let part, let needed, let had):
      "\(path): the file ends inside \(part.rawValue) at byte \(offset): needed \(needed) bytes, had \(had);"
        + " the packets before it were read; copy or record the file again for the rest"
    case .damaged(let path, let offset, let part, let reason):
      "\(path): \(part.rawValue) at byte \(offset) is damaged: \(reason);"
        + " the packets before it were read; copy or record the file again for the rest"
    }
  }
}
