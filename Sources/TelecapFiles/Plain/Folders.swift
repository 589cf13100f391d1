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

/// What lies where.
public enum Folders {
  /// Whether there is a file or a folder at `path`.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is a folder at `path` that may be read.
  public static func isFolder(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }

  /// The whole path of a file that is not there yet; as it is spelled where its folder is not there either.
  fileprivate static func place(_ path: String) -> String {
    let path = CaptureFile.newPlace(path) ?? path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    guard let whole = realpath(folder, nil) else { return path }
    defer { free(whole) }
    return "\(String(cString: whole))/\(parts.last ?? "")"
  }

  /// The names in a folder, in no order; hidden ones are left out.
  ///
  /// - Throws: `FileError.noInput` where there is no such folder.
  public static func names(in folder: String) throws(FileError) -> [String] {
    var names: [String] = []
    let error = FolderEntries.forEach(in: folder) { name in
      if !name.hasPrefix(".") { names.append(name) }
      return true
    }
    if error != 0 { throw .noInput(path: folder, ErrnoError(number: error)) }
    return names
  }

  /// Makes a folder where there is none; the one it lies in must be there.
  ///
  /// - Throws: `FileError.cannotMakeFolder`
  public static func create(_ path: String) throws(FileError) {
    if mkdir(path, 0o755) == 0 { return }
    let reason = errno
    if reason != EEXIST || !isFolder(path) { throw .cannotMakeFolder(path: path, ErrnoError(number: reason)) }
  }
}

/// A file that a command names: which one it is, or, where none is there yet, its whole path.
enum FilePlace: Hashable {
  case file(FileIdentity)
  case path(String)

  /// The file at a path, through links; nil of what is no file of its own, such as a folder, a pipe or a device.
  init?(_ path: String) {
    if let status = FileStatus(path) { self.init(status) } else { self = .path(Folders.place(path)) }
  }

  /// The file that is standard input, output or error; nil where it is none.
  ///
  /// - Parameter isWritten: only where it takes what is written.
  init?(stream: Int32, isWritten: Bool = false) {
    guard let status = FileStatus(descriptor: stream), !isWritten || fcntl(stream, F_GETFL) & O_ACCMODE != O_RDONLY
    else { return nil }
    self.init(status)
  }

  private init?(_ status: FileStatus) {
    guard status.isRegular else { return nil }
    self = .file(status.identity)
  }
}
