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

/// A file that takes its place when it is whole: until then it stands beside it under a name of its own, and is gone when it
/// is not finished. What is no regular file, such as a pipe or a device, and a file whose folder takes no other, is written
/// where it is; of a link the target is replaced, and a capture that somebody records into is not.
public final class PendingFile {
  /// Where to write; `-` is standard output.
  public let workingPath: String
  /// Where it goes; nil where it is there already.
  private let target: String?
  /// Where it goes, as it was named.
  public let path: String
  private let force: Bool
  /// The rights of the file that is replaced; nil where there is none.
  private var mode: mode_t?
  private var isPlaced = false
  private var isDiscarded = false
  /// A file that stands where it is written: what is not finished is left there in part.
  let isWrittenInPlace: Bool
  /// The file itself, whatever it is called; nil where it is written in its place from the beginning.
  private var identity: FileIdentity?

  /// Makes the file beside `path`.
  ///
  /// - Throws: `FileError.exists` when a file is there and `force` is false; `capture` when somebody records into it;
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
    // What takes the place of a file that others may not read is not theirs to read before either.
    let file = open(working, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0o600 : 0o666)
    if file < 0 {
      let reason = errno
      WorkingFiles.end(working)
      // Where only its folder takes no other file, or none of a longer name, it is written where it is.
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

  /// Whether an output may be made at `path`, as far as that can be told before: what is no regular file is written as it is, and so
  /// is a descriptor that the path names, wherever a shell sent it.
  ///
  /// - Throws: `FileError.exists` when a file is there and `force` is false; `capture` where SQLite keeps a capture's log;
  ///   `cannotCreate` of a folder, and of a link that leads nowhere.
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

  /// Takes away what was written, unless it is in its place.
  public func discard() {
    guard target != nil, !isPlaced, !isDiscarded else { return }
    isDiscarded = true
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
    do {
      // The capture may have been made meanwhile.
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

  /// Takes away the file that is to be replaced, so that nobody takes it for the new one, which is not whole yet.
  ///
  /// - Throws: `FileError.capture` when somebody records into it; `cannotCreate`.
  public func removeFormer() throws(FileError) {
    guard let target, mode != nil, !isPlaced else { return }
    var reason: Int32 = 0
    var status = stat()
    // A link to nothing would be nothing to write through: its target stays, empty.
    let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    try PendingFile.replacing(target) {
      reason = (isLink ? truncate(target, 0) : unlink(target)) == 0 || errno == ENOENT ? 0 : errno
    }
    if reason != 0 { throw .cannotCreate(path: path, ErrnoError(number: reason)) }
  }

  /// Puts a file that is still being written in its place, once; from then on makes sure that it is there.
  ///
  /// - Throws: as `place`; `FileError.gone` when it is there no more.
  public func keep() throws(FileError) {
    guard let target, isPlaced else { return try place() }
    guard let now = FileIdentity(target), identity == nil || now == identity else { throw .gone(path: path) }
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

  /// Where a file that is not there yet goes: of a link to what is not there the place that it leads to, so that the link stays.
  ///
  /// - Throws: `FileError.cannotCreate` of links that lead to one another.
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
