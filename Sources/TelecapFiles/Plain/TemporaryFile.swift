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
    let directory = try makeDirectory()
    let path = "\(directory)/work\(suffix)"
    let files = [path, path + "-wal", path + "-shm"]
    for file in files + [directory] { WorkingFiles.begin(file) }
    defer {
      for file in files { unlink(file) }
      rmdir(directory)
      for file in files + [directory] { WorkingFiles.end(file) }
    }
    return try body(path)
  }

  private static func makeDirectory() throws(FileError) -> String {
    let parent = Descriptor.temporaryFolder
    var template = Array("\(parent)/telecap-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .noTemporary(parent: parent, ErrnoError(number: errno)) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
