#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A text file, read piece by piece.
struct FileInput: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private var room = [UInt8](repeating: 0, count: 65_536)

  /// Opens `path`; `-` is standard input.
  ///
  /// - Throws: `Failure` 66.
  init(path: String) throws {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(.noInput, "\(path): \(String(cString: strerror(errno)))") }
  }

  deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

  /// The next bytes; none at the end.
  ///
  /// - Throws: `Failure` 74.
  mutating func readPiece() throws -> ArraySlice<UInt8> {
    while true {
      let count = room.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return room[..<count] }
      if errno != EINTR { throw Failure(.io, "cannot read \(path): \(String(cString: strerror(errno)))") }
    }
  }
}
