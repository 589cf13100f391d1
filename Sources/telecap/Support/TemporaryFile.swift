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
    let path = try create(suffix)
    defer { remove(path) }
    return try body(path)
  }

  /// The same, where `body` waits.
  static func with<Result>(suffix: String, _ body: (String) async throws -> Result) async throws -> Result {
    let path = try create(suffix)
    defer { remove(path) }
    return try await body(path)
  }

  private static func create(_ suffix: String) throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/telecap-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "\(parent): no temporary directory: \(String(cString: strerror(errno)))")
    }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(directory)/work\(suffix)"
  }

  private static func remove(_ path: String) {
    for file in [path, path + "-wal", path + "-shm", path + ".new"] { unlink(file) }
    rmdir(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
  }
}
