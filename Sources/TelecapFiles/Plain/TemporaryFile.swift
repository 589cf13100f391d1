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

  /// A path in its own directory. The process holds a lock on the directory; an unlocked one is abandoned.
  fileprivate struct Place {
    let path: String
    private let directory: String
    private let lock: Int32
    private var files: [String] { TemporaryFile.sideFiles.map { path + $0 } }

    init(suffix: String) throws(FileError) {
      _ = TemporaryFile.collected
      (directory, lock) = try TemporaryFile.makeDirectory()
      path = "\(directory)/\(TemporaryFile.name)\(suffix)"
      for file in files + [directory] { WorkingFiles.begin(file) }
    }

    func remove() {
      for file in files { unlink(file) }
      rmdir(directory)
      close(lock)
      for file in files + [directory] { WorkingFiles.end(file) }
    }
  }

  /// How the names of the directories begin; mkdtemp chooses six more characters.
  private static let prefix = "telecap-work-"
  private static let name = "work"
  /// Suffixes of the capture and of the files that SQLite makes next to it.
  private static let sideFiles = ["", "-wal", "-shm", "-journal"]

  private static func makeDirectory() throws(FileError) -> (path: String, lock: Int32) {
    let parent = Descriptor.temporaryFolder
    while true {
      var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw .noTemporary(parent: parent, ErrnoError(number: errno)) }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Another process may have taken it for abandoned in the meantime.
      if let lock = locked(path) { return (path, lock) }
    }
  }

  /// The lock of a directory; nil where somebody else has it, or the directory is no longer there.
  private static func locked(_ path: String) -> Int32? {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    var (held, there) = (stat(), stat())
    // A file system without locks lets everybody have all, and nobody finds anything abandoned.
    guard flock(directory, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, fstat(directory, &held) == 0,
      lstat(path, &there) == 0, held.st_ino == there.st_ino, held.st_dev == there.st_dev, held.st_uid == geteuid()
    else {
      close(directory)
      return nil
    }
    return directory
  }

  /// Removes the directories of processes that were killed, once.
  private static let collected: Void = removeAbandoned(in: Descriptor.temporaryFolder)

  /// Removes the temporary files below `parent` whose processes are gone.
  static func removeAbandoned(in parent: String) {
    guard let all = opendir(parent) else { return }
    defer { closedir(all) }
    while let entry = readdir(all) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 6, let lock = locked("\(parent)/\(name)")
      else {
        continue
      }
      defer { close(lock) }
      removeFiles(of: "\(parent)/\(name)")
    }
  }

  /// Removes a directory with what telecap writes into one; not where something else is in it.
  private static func removeFiles(of directory: String) {
    guard let all = opendir(directory) else { return }
    while let entry = readdir(all) {
      let file = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if file.hasPrefix("\(name).") { unlink("\(directory)/\(file)") }
    }
    closedir(all)
    rmdir(directory)
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
