#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapPlatform

/// The sign that a working file is still written: an empty file next to it, locked for as long as its process runs. The working
/// file itself cannot be locked: it may be a database, and SQLite's own locks would be in the way.
struct WorkingLock {
  /// How a working file's name ends.
  static let ending = ".new"
  private static let suffix = "-lock"

  /// The empty file.
  let path: String
  private let file: Int32

  /// Locks the working file of this name, which does not exist yet; nil if no file can be created next to it.
  init?(_ name: String) {
    path = name + WorkingLock.suffix
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
    // A process that searches for abandoned files may lock it for a moment and remove it: then there is no lock, and no loss.
    var result = flock(file, LOCK_EX)
    while result != 0, errno == EINTR { result = flock(file, LOCK_EX) }
    if result == 0 { return }
    // Where nothing can be locked, one that lies there would be taken for abandoned.
    unlink(path)
    close(file)
    return nil
  }

  /// The working file is gone, or in its place.
  func release() {
    unlink(path)
    close(file)
  }

  /// Removes the working files next to `path` whose processes have ended.
  static func removeAbandoned(beside path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let head = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...] + "."
    for name in FolderEntries.names(in: folder) where name.hasPrefix(head) && name.hasSuffix(ending + suffix) {
      let chosen = name.dropFirst(head.count).dropLast(ending.count + suffix.count)
      guard UInt32(chosen, radix: 36) != nil else { continue }
      remove(folder + name)
    }
  }

  /// Takes a lock away, and what it held, unless somebody has it.
  private static func remove(_ path: String) {
    let file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0,
      flock(file, LOCK_EX | LOCK_NB) == 0
    else { return }
    let working = String(path.dropLast(suffix.count))
    for suffix in WorkingFiles.database { unlink(working + suffix) }
    unlink(path)
  }
}
