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

/// A file that appears at its path only when it is complete. Until then it is in the same folder under a temporary
/// name, and it is deleted if it is not finished. A special file, such as a pipe or a device, and a file whose folder
/// allows no other, is written in place. Of a link the target is replaced. A capture that is being recorded is never
/// replaced.
public final class PendingFile {
  /// The path to write to; `-` is standard output.
  public let workingPath: String
  /// The final path; nil if it is written in place.
  private let target: String?
  /// The final path as given.
  public let path: String
  private let force: Bool
  /// The permissions of the replaced file; nil if there is none.
  private var mode: mode_t?
  private var isPlaced = false
  private var isDiscarded = false
  /// Whether a regular file is written in place, so that an unfinished one is incomplete.
  let isWrittenInPlace: Bool
  /// The identity of the file, whatever its name is; nil if it is written in place.
  private var identity: FileIdentity?

  /// Creates the file next to `path`.
  ///
  /// - Throws: `FileError.exists` if a file exists and `force` is false; `capture` if it is being recorded;
  ///   `cannotCreate`.
  public init(at path: String, force: Bool) throws(FileError) {
    let path = StandardOutput.isNamed(path) ? "-" : path
    (self.path, self.force) = (path, force)
    var status = stat()
    let exists = path != "-" && stat(path, &status) == 0
    try PendingFile.check(path, force: force)
    if Descriptor.number(namedBy: path) != nil || exists && status.st_mode & S_IFMT != S_IFREG {
      (workingPath, target, isWrittenInPlace) = (path, nil, false)
      return
    }
    let target = exists ? PendingFile.resolved(path) : try PendingFile.place(path)
    if exists { try PendingFile.replacing(target) {} }
    let working = WorkingFiles.name(beside: target)
    // A file that replaces a private one must be private from the start.
    let file = open(working, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0o600 : 0o666)
    if file < 0 {
      let reason = errno
      WorkingFiles.end(working)
      // If only its folder allows no other file, or no longer name, write it in place.
      let isOfFolder = [EACCES, EPERM, EROFS, ENAMETOOLONG].contains(reason)
      guard exists, isOfFolder, access(target, W_OK) == 0 else {
        throw .cannotCreate(path: path, ErrnoError(number: reason))
      }
      (workingPath, self.target, isWrittenInPlace) = (path, nil, true)
      WorkingFiles.begin(partOf: path)
      return
    }
    isWrittenInPlace = false
    if exists {
      _ = fchown(file, status.st_uid, status.st_gid)
      mode = status.st_mode & 0o7777
    }
    identity = fstat(file, &status) == 0 ? FileIdentity(status) : nil
    close(file)
    (workingPath, self.target) = (working, target)
    WorkingFiles.begin(working)
  }

  /// Checks in advance whether an output may be created at `path`. A special file is written as it is, and so is a
  /// descriptor that the path names, wherever it was redirected.
  ///
  /// - Throws: `FileError.exists` if a file exists and `force` is false; `capture` if the path is that of SQLite's log
  ///   of a capture; `cannotCreate` for a folder, and for a broken link.
  public static func check(_ path: String, force: Bool) throws(FileError) {
    var status = stat()
    if StandardOutput.isNamed(path) { return }
    if let number = Descriptor.number(namedBy: path) {
      do throws(ErrnoError) { _ = try Descriptor.inherited(number) } catch { throw .cannotCreate(path: path, error) }
      return
    }
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw .cannotCreate(path: path, ErrnoError(number: EISDIR)) }
      if status.st_mode & S_IFMT != S_IFREG { return }
      if !force { throw .exists(path: path) }
    } else {
      _ = try place(path)
    }
    do {
      try CaptureFile.refuseLog(resolved(path), named: path)
    } catch {
      throw .capture(error)
    }
  }

  deinit {
    discard()
    if isWrittenInPlace { WorkingFiles.end(partOf: path) }
  }

  /// Deletes the written file, unless it is at its path.
  public func discard() {
    guard target != nil, !isPlaced, !isDiscarded else { return }
    isDiscarded = true
    unlink(workingPath)
    WorkingFiles.end(workingPath)
  }

  /// Moves the complete file to its path.
  ///
  /// - Throws: `FileError.exists` if another process created one there meanwhile; `capture` if the existing one is
  ///   being recorded; `cannotCreate`.
  public func place() throws(FileError) {
    guard let target, !isPlaced else { return }
    if let mode { chmod(workingPath, mode) }
    do {
      // The capture may have been created meanwhile.
      try CaptureFile.refuseLog(target, named: path)
    } catch {
      throw .capture(error)
    }
    if !force, link(workingPath, target) == 0 {
      unlink(workingPath)
    } else if !force, errno == EEXIST {
      throw .exists(path: path)
    } else {
      var reason: Int32 = 0
      try PendingFile.replacing(target) { reason = rename(workingPath, target) == 0 ? 0 : errno }
      if reason != 0 { throw .cannotCreate(path: path, ErrnoError(number: reason)) }
    }
    isPlaced = true
    WorkingFiles.end(workingPath)
  }

  /// Deletes the file to be replaced, so that it is not mistaken for the new one, which is incomplete.
  ///
  /// - Throws: `FileError.capture` if it is being recorded; `cannotCreate`.
  public func removeFormer() throws(FileError) {
    guard let target, mode != nil, !isPlaced else { return }
    var reason: Int32 = 0
    var status = stat()
    // A broken link could not be written through, so its target is truncated instead.
    let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    try PendingFile.replacing(target) {
      reason = (isLink ? truncate(target, 0) : unlink(target)) == 0 || errno == ENOENT ? 0 : errno
    }
    if reason != 0 { throw .cannotCreate(path: path, ErrnoError(number: reason)) }
  }

  /// Moves a file that is still being written to its path, once; later calls check that it is there.
  ///
  /// - Throws: as `place` does; `FileError.gone` if it is no longer there.
  public func keep() throws(FileError) {
    guard let target, isPlaced else { return try place() }
    guard let now = FileIdentity(target), identity == nil || now == identity else { throw .gone(path: path) }
  }

  /// Runs `body` unless the file at `target` is being recorded.
  private static func replacing(_ target: String, _ body: () -> Void) throws(FileError) {
    do {
      try CaptureFile.alone(with: target, body)
    } catch let error as StoreError {
      throw .capture(error)
    } catch {
      throw .capture(.cannotCreate(path: target, reason: "\(error)"))
    }
  }

  /// The final path of a file that does not exist yet: for a broken link its target, so that the link stays.
  ///
  /// - Throws: `FileError.cannotCreate` for links in a cycle.
  private static func place(_ path: String) throws(FileError) -> String {
    guard let place = CaptureFile.newPlace(path) else { throw .cannotCreate(path: path, ErrnoError(number: ELOOP)) }
    return place
  }

  private static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }
}
