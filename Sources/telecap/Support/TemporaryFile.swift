#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is gone when the work is done.
enum TemporaryFile {
  /// Calls `body` with a path in a directory of its own, under `TMPDIR` or /tmp.
  static func with<Result>(suffix: String, _ body: (String) throws -> Result) throws -> Result {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/telecap-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "\(parent): no temporary directory: \(String(cString: strerror(errno)))")
    }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = "\(directory)/work\(suffix)"
    defer {
      for file in [path, path + "-wal", path + "-shm", path + ".new"] { unlink(file) }
      rmdir(directory)
    }
    return try body(path)
  }
}
