#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
import TelecapStore

/// A file that is gone when the work is done.
public enum TemporaryFile {
  /// Calls `body` with a path in a directory of its own, under `TMPDIR` or /tmp.
  ///
  /// - Throws: `FileError.noTemporary`, and what `body` throws.
  public static func with<Result>(suffix: String, _ body: (String) throws -> Result) throws -> Result {
    let file = try Place(suffix: suffix)
    defer { file.remove() }
    return try body(file.path)
  }

  /// The same for as long as an asynchronous `body` runs.
  ///
  /// - Throws: as above.
  public static func with<Result: Sendable>(
    suffix: String, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let file = try Place(suffix: suffix)
    defer { file.remove() }
    return try await body(file.path)
  }

  /// A path in a directory of its own.
  fileprivate struct Place {
    let path: String
    private let directory: String
    private var files: [String] { [path, path + "-wal", path + "-shm"] }

    init(suffix: String) throws(FileError) {
      directory = try TemporaryFile.makeDirectory()
      path = "\(directory)/work\(suffix)"
      for file in files + [directory] { WorkingFiles.begin(file) }
    }

    func remove() {
      for file in files { unlink(file) }
      rmdir(directory)
      for file in files + [directory] { WorkingFiles.end(file) }
    }
  }

  private static func makeDirectory() throws(FileError) -> String {
    let parent = Descriptor.temporaryFolder
    var template = Array("\(parent)/telecap-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .noTemporary(parent: parent, ErrnoError(number: errno)) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A temporary file that is gone when nobody holds it any more.
final class KeptTemporaryFile: Sendable {
  private let place: TemporaryFile.Place
  var path: String { place.path }

  /// - Throws: `FileError.noTemporary`
  init(suffix: String) throws(FileError) { place = try TemporaryFile.Place(suffix: suffix) }

  deinit { place.remove() }
}
