#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapPlatform
import TelecapText

/// The few things that the store asks of the file system itself.
enum FileSystem {
  /// The first `count` bytes of a file, fewer when it is shorter.
  static func head(of path: String, _ count: Int) throws(StoreError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, errno) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = read(file, &bytes, count)
    guard got >= 0 else { throw failure(path, errno) }
    return Array(bytes.prefix(got))
  }

  /// The size of a file in bytes. A folder is unreadable.
  static func size(of path: String) throws(StoreError) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
    guard access(path, R_OK) == 0 else { throw failure(path, errno) }
    return Int(status.st_size)
  }

  /// Whether something is there that is neither a file nor a folder.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Suspends this thread, before a lock or a file is looked at again.
  static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

  static func isWritable(_ path: String) -> Bool {
    access(path, W_OK) == 0 && access(FolderEntries.folder(of: path), W_OK) == 0
  }

  /// A path by which SQLite opens the file at `path` and nothing else. SQLite may read a name that begins with `file:` as a
  /// URI, whatever the flags are (https://www.sqlite.org/uri.html, 2). `:memory:` is not a file, and an empty name is a
  /// temporary one (https://www.sqlite.org/c3ref/open.html). A path that begins with `/` or `./`
  /// is none of these.
  static func plainName(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

  /// The URI by which SQLite reads a file as it is, and creates no file next to it (https://www.sqlite.org/uri.html).
  static func immutableURI(_ path: String) -> String {
    // An empty authority: `//a/b` would name the host `a`.
    return "file:\(path.hasPrefix("/") ? "//" : "")\(Escaping.url(plainName(path), isPath: true))?immutable=1"
  }

  /// Has the name of a new file written to the disk too.
  static func syncFolder(of path: String) {
    let folder = open(FolderEntries.folder(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes a database and the files that SQLite keeps next to it; ignores missing ones.
  static func removeDatabase(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Where an output of this path goes: of a link its target.
  ///
  /// - Throws: `StoreError.cannotCreate` where something is that is no regular file, such as a device.
  static func target(of path: String) throws(StoreError) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard let place = newPlace(path) else {
        throw .cannotCreate(path: path, reason: String(cString: strerror(ELOOP)))
      }
      return place
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotCreate(path: path, reason: "it is not a regular file, and a capture is a database")
    }
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// Where a file goes that is not there yet: its path, and of a link to what is not there the path that it leads to; nil where
  /// links lead to one another.
  static func newPlace(_ path: String) -> String? {
    var (path, target) = (path, [CChar](repeating: 0, count: Int(PATH_MAX)))
    // The system itself follows no more (ELOOP).
    for _ in 0..<40 {
      let count = readlink(path, &target, target.count)
      if count < 0 { return path }
      let text = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = text.hasPrefix("/") ? text : folder + text
    }
    return nil
  }

  /// Makes an empty file for a database, with the rights that the umask leaves: SQLite itself never gives a group the right to
  /// write. Where it cannot be made, SQLite says why.
  static func makeEmpty(_ path: String, isPrivate: Bool) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
    if file >= 0 { close(file) }
  }

  /// Gives a file the owner and the rights of the one whose place it takes.
  ///
  /// - Parameter isWritten: whether its owner may write it in any case.
  static func keepRights(of target: String, on path: String, isWritten: Bool) {
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    _ = chown(path, status.st_uid, status.st_gid)
    chmod(path, status.st_mode & 0o7777 | (isWritten ? S_IWUSR : 0))
  }

  /// The suffixes of the files that SQLite keeps next to a database.
  static let sideFiles = ["-wal", "-shm", "-journal"]

  /// Whether SQLite keeps a log next to a database: a program has it open, or was killed.
  static func hasLog(_ path: String) -> Bool { exists(path + "-wal") || exists(path + "-shm") }

  /// The log next to this name with the rows that the last writer of a database did not move into it; nil without one.
  private static func fullLog(_ path: String) -> String? {
    ["-wal", "-journal"].lazy.map { path + $0 }.first { ((try? size(of: $0)) ?? 0) > 0 }
  }

  /// Refuses a place at which nothing is but the log of a database that was moved away or deleted: its packets may be nowhere else, and
  /// they would be read into a new file of this name.
  ///
  /// - Throws: `StoreError.leftLog`
  static func refuseLeftLog(_ path: String) throws(StoreError) {
    if !exists(path), let log = fullLog(path) { throw .leftLog(path: path, log: log) }
  }

  /// Moves a closed database to `path`, where nothing may be. A log that lies there would be read into it: it is deleted with `force`,
  /// and refused without.
  static func placeDatabase(_ from: String, at path: String, force: Bool) throws(StoreError) {
    if !force { try refuseLeftLog(path) }
    if link(from, path) == 0 {
      for suffix in sideFiles { unlink(path + suffix) }
      unlink(from)
      return
    }
    if errno == EEXIST { throw .exists(path: path) }
    // A file system without links: the only way is one that may replace what somebody else has just made.
    try moveDatabase(from, to: path)
  }

  /// Moves a closed database to `path`, over whatever is there.
  static func moveDatabase(_ from: String, to path: String) throws(StoreError) {
    for suffix in sideFiles { unlink(path + suffix) }
    guard rename(from, path) == 0 else {
      throw .cannotCreate(path: path, reason: String(cString: strerror(errno)))
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> StoreError {
    code == ENOENT || code == ENOTDIR
      ? .missing(path: path) : .unreadable(path: path, reason: String(cString: strerror(code)))
  }
}
