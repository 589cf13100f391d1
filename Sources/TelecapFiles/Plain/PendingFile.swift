#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
import TelecapStore

/// A file that takes its place when it is whole: until then it stands beside it under a name of its own, and is gone when it
/// is not finished. What is no regular file, such as a pipe or a device, and a file whose folder takes no other, is written
/// where it is; of a link the target is replaced, and a capture that somebody records into is not.
public final class PendingFile {
  /// Where to write; `-` is standard output.
  public let workingPath: String
  /// Where it goes; nil where it is there already.
  private let target: String?
  private let path: String
  private let force: Bool
  /// The rights of the file that is replaced; nil where there is none.
  private var mode: mode_t?
  private var isPlaced = false
  /// The file itself, whatever it is called; nil where it is written in its place from the beginning.
  private var identity: Identity?

  /// Makes the file beside `path`.
  ///
  /// - Throws: `FileError.exists` when a file is there and `force` is false; `capture` when somebody records into it;
  ///   `cannotCreate`.
  public init(at path: String, force: Bool) throws(FileError) {
    (self.path, self.force) = (path, force)
    var status = stat()
    let exists = path != "-" && stat(path, &status) == 0
    if path == "-" || exists && status.st_mode & S_IFMT != S_IFREG {
      (workingPath, target) = (path, nil)
      return
    }
    if exists, !force { throw .exists(path: path) }
    // A link to what is not there would itself be replaced.
    if !exists, lstat(path, &status) == 0 { throw .cannotCreate(path: path, ErrnoError(number: ENOENT)) }
    let target = exists ? PendingFile.resolved(path) : path
    if exists { try PendingFile.replacing(target) {} }
    let working = WorkingFiles.name(beside: target)
    let file = open(working, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if file < 0 {
      let reason = errno
      WorkingFiles.end(working)
      // Where only its folder takes no other file, or none of a longer name, it is written where it is.
      let isOfFolder = [EACCES, EPERM, EROFS, ENAMETOOLONG].contains(reason)
      guard exists, isOfFolder, access(target, W_OK) == 0 else {
        throw .cannotCreate(path: path, ErrnoError(number: reason))
      }
      (workingPath, self.target) = (path, nil)
      return
    }
    if exists {
      _ = fchown(file, status.st_uid, status.st_gid)
      mode = status.st_mode & 0o7777
    }
    identity = fstat(file, &status) == 0 ? Identity(status) : nil
    close(file)
    (workingPath, self.target) = (working, target)
    WorkingFiles.begin(working)
  }

  deinit {
    guard target != nil, !isPlaced else { return }
    unlink(workingPath)
    WorkingFiles.end(workingPath)
  }

  /// Puts the whole file in its place.
  ///
  /// - Throws: `FileError.exists` when somebody else made one there meanwhile; `capture` when somebody records into what is there;
  ///   `cannotCreate`.
  public func place() throws(FileError) {
    guard let target, !isPlaced else { return }
    if let mode { chmod(workingPath, mode) }
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

  /// Puts a file that is still being written in its place, once; from then on makes sure that it is there.
  ///
  /// - Throws: as `place`; `FileError.gone` when it is there no more.
  public func keep() throws(FileError) {
    guard let target, isPlaced else { return try place() }
    var status = stat()
    guard stat(target, &status) == 0, identity == nil || Identity(status) == identity else { throw .gone(path: path) }
  }

  /// Runs `body` while nobody records into what is at `target`.
  private static func replacing(_ target: String, _ body: () -> Void) throws(FileError) {
    do {
      try CaptureFile.alone(with: target, body)
    } catch let error as StoreError {
      throw .capture(error)
    } catch {
      throw .capture(.cannotCreate(path: target, reason: "\(error)"))
    }
  }

  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
  }

  private static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }
}
