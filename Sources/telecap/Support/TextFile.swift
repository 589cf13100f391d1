#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Small files of text that a person gives on the command line.
enum TextFile {
  /// Larger files are no such text.
  private static let limit = 64 << 20

  /// The text in the file at `path`; bytes that are not UTF-8 are repaired, so that a parser names their line.
  ///
  /// - Throws: `Failure` with status 66 when there is no such file, 74 when it cannot be read, 65 when it is too large.
  static func read(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// The bytes in the file at `path`, as they stand.
  ///
  /// - Throws: `Failure`, as `read` does.
  static func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(.noInput, "\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { buffer in Self.readSome(descriptor, buffer) }
      if count == 0 { return bytes }
      guard count > 0 else { throw Failure(.io, "\(path): \(String(cString: strerror(errno)))") }
      bytes.append(contentsOf: piece[..<count])
      guard bytes.count <= limit else { throw Failure(.data, "\(path): larger than \(limit >> 20) MiB") }
    }
  }

  private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
