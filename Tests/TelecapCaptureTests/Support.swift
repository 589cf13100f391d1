// The shared code of this target's tests: bytes built by hand, and the result of a reader.
import Foundation
import TelecapCapture
import TelecapRecording
import TelecapTestSupport

/// Bytes built number by number in one byte order.
struct ByteList {
  var isBig = false
  var bytes: [UInt8] = []

  mutating func add<T: FixedWidthInteger>(_ values: T...) {
    for value in values { withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { bytes += $0 } }
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  mutating func pad() {
    while bytes.count % 4 != 0 { bytes.append(0) }
  }
}

/// A packet as a test compares it.
struct SeenPacket: Equatable {
  var header: PacketHeader
  var frame: [UInt8]
}

func copy(_ span: RawSpan) -> [UInt8] { span.withUnsafeBytes { Array($0) } }

/// All that a reader gave, and how it ended.
struct ReadResult {
  var packets: [SeenPacket] = []
  var interfaces: [Interface] = []
  var statistics: [CaptureFileReader.Statistics] = []
  var comments: [String] = []
  var error: CaptureFileError?
}

/// Reads bytes that are a file: through a pipe when they fit into one, since that is quick.
func read(_ bytes: [UInt8]) throws -> ReadResult {
  guard bytes.count <= 32_768 else {
    return try withTemporaryPath { path in
      try bytes.write(to: path)
      return try readFile(path, as: "file")
    }
  }
  let pipe = Pipe()
  try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
  try pipe.fileHandleForWriting.close()
  let descriptor = pipe.fileHandleForReading.fileDescriptor
  return try readAll { () throws(CaptureFileError) in try CaptureFileReader(descriptor: descriptor, path: "file") }
}

/// Reads `path`; in the error, the path is replaced by `name`.
func readFile(_ path: String, as name: String) throws -> ReadResult {
  var result = try readAll { () throws(CaptureFileError) in try CaptureFileReader(path: path) }
  result.error = result.error.map { $0.renamed(name) }
  return result
}

private func readAll(_ open: () throws(CaptureFileError) -> CaptureFileReader) throws -> ReadResult {
  var result = ReadResult()
  do {
    var reader = try open()
    do {
      while try reader.next({ result.packets.append(SeenPacket(header: $0, frame: copy($1))) }) {}
    } catch let error as CaptureFileError {
      result.error = error
      while try reader.next({ _, _ in result.error = nil }) {}
    }
    result.interfaces = reader.interfaces
    result.statistics = reader.statistics
    result.comments = reader.comments
  } catch let error as CaptureFileError {
    result.error = error
  }
  return result
}

extension CaptureFileError {
  func renamed(_ path: String) -> CaptureFileError {
    switch self {
    case .cannotOpen(_, let error): .cannotOpen(path: path, error)
    case .cannotRead(_, let offset, let error): .cannotRead(path: path, offset: offset, error)
    case .cannotWrite(_, let offset, let error): .cannotWrite(path: path, offset: offset, error)
    case .noDecompressor(_, let compression, let reason): .noDecompressor(path: path, compression, reason: reason)
    case .cannotDecompress(_, let offset, let compression, let reason):
      .cannotDecompress(path: path, offset: offset, compression, reason: reason)
    case .notCapture(_, let text): .notCapture(path: path, looksLike: text)
    case .truncated(_, let offset, let part, let needed, let had):
      .truncated(path: path, offset: offset, part, needed: needed, had: had)
    case .damaged(_, let offset, let part, let reason):
      .damaged(path: path, offset: offset, part, reason: reason)
    }
  }
}
