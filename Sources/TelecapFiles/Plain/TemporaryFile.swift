#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
import TelecapPlatform
import TelecapStore

/// A file that is deleted after use.
public enum TemporaryFile {
  /// Calls `body` with a path in a directory of its own, in `TMPDIR` or /tmp.
  ///
  /// - Throws: `FileError.noTemporary`, and any error of `body`.
  public static func with<Result>(suffix: String, _ body: (String) throws -> Result) throws -> Result {
    let file = try Place(suffix: suffix)
    defer { file.remove() }
    return try body(file.path)
  }

  /// The same for an asynchronous `body`.
  ///
  /// - Throws: `FileError.noTemporary`, and any error of `body`.
  public static func with<Result: Sendable>(
    suffix: String, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let file = try Place(suffix: suffix)
    defer { file.remove() }
    return try await body(file.path)
  }

  /// A path in its own directory. The process has a lock on the directory; an unlocked one is abandoned.
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

  /// The prefix of the directories' names; mkdtemp appends six characters.
  private static let prefix = "telecap-work-"
  private static let name = "work"
  /// The suffixes of the capture and of SQLite's files next to it.
  private static let sideFiles = ["", "-wal", "-shm", "-journal"]

  private static func makeDirectory() throws(FileError) -> (path: String, lock: Int32) {
    let parent = Descriptor.temporaryFolder
    for _ in 0..<maxTries {
      var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw .noTemporary(parent: parent, ErrnoError(number: errno)) }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      switch lock(path) {
      case .held(let descriptor), .unsupported(let descriptor): return (path, descriptor)
      // Another process removed it as abandoned in the meantime.
      case .taken: continue
      case .failed(let error):
        rmdir(path)
        throw .noTemporary(parent: parent, error)
      }
    }
    throw .noTemporary(parent: parent, ErrnoError(number: EAGAIN))
  }

  /// The maximum number of attempts if other processes remove the directory as abandoned.
  private static let maxTries = 100

  /// The result of locking a directory; a descriptor is open until the caller closes it.
  private enum Lock {
    case held(Int32)
    /// The file system has no locks.
    case unsupported(Int32)
    /// Another process has the lock, or has removed the directory.
    case taken
    case failed(ErrnoError)
  }

  private static func lock(_ path: String) -> Lock {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return errno == ENOENT ? .taken : .failed(ErrnoError(number: errno)) }
    func end(_ result: Lock) -> Lock {
      close(directory)
      return result
    }
    let isLocked = flock(directory, LOCK_EX | LOCK_NB) == 0
    if !isLocked, errno == EWOULDBLOCK { return end(.taken) }
    var (held, there) = (stat(), stat())
    guard fstat(directory, &held) == 0 else { return end(.failed(ErrnoError(number: errno))) }
    guard lstat(path, &there) == 0 else { return end(errno == ENOENT ? .taken : .failed(ErrnoError(number: errno))) }
    guard FileIdentity(held) == FileIdentity(there) else { return end(.taken) }
    return isLocked ? .held(directory) : .unsupported(directory)
  }

  /// The lock of another process's directory if that process is certainly gone; nil if the file system has no locks.
  private static func abandoned(_ path: String) -> Int32? {
    var there = stat()
    guard lstat(path, &there) == 0, there.st_uid == geteuid() else { return nil }
    switch lock(path) {
    case .held(let descriptor): return descriptor
    case .unsupported(let descriptor):
      close(descriptor)
      return nil
    case .taken, .failed: return nil
    }
  }

  /// Removes the directories of killed processes, once.
  private static let collected: Void = removeAbandoned(in: Descriptor.temporaryFolder)

  /// Removes the temporary files in `parent` whose processes are gone.
  static func removeAbandoned(in parent: String) {
    for name in FolderEntries.names(in: parent)
    where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      guard let lock = abandoned("\(parent)/\(name)") else { continue }
      defer { close(lock) }
      removeFiles(of: "\(parent)/\(name)")
    }
  }

  /// Removes a directory with telecap's files; a directory with other files stays.
  private static func removeFiles(of directory: String) {
    for file in FolderEntries.names(in: directory) where file.hasPrefix("\(name).") { unlink("\(directory)/\(file)") }
    rmdir(directory)
  }
}

/// A temporary file that is deleted with its last reference.
final class KeptTemporaryFile: Sendable {
  private let place: TemporaryFile.Place
  var path: String { place.path }

  /// - Throws: `FileError.noTemporary`
  init(suffix: String) throws(FileError) { place = try TemporaryFile.Place(suffix: suffix) }

  deinit { place.remove() }
}
