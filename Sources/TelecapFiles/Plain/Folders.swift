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

/// Operations on folders and paths.
public enum Folders {
  /// Whether a file or a folder exists at `path`.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is a readable folder at `path`.
  public static func isFolder(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }

  /// The absolute path of a file that does not exist yet; unchanged if its folder does not exist either.
  fileprivate static func place(_ path: String) -> String {
    let path = CaptureFile.newPlace(path) ?? path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    guard let whole = realpath(folder, nil) else { return path }
    defer { free(whole) }
    return "\(String(cString: whole))/\(parts.last ?? "")"
  }

  /// The names in a folder, in no order, without hidden ones.
  ///
  /// - Throws: `FileError.noInput` if the folder does not exist.
  public static func names(in folder: String) throws(FileError) -> [String] {
    var names: [String] = []
    let error = FolderEntries.forEach(in: folder) { name in
      if !name.hasPrefix(".") { names.append(name) }
      return true
    }
    if error != 0 { throw .noInput(path: folder, ErrnoError(number: error)) }
    return names
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Throws: `FileError.cannotMakeFolder`
  public static func createAll(_ path: String) throws(FileError) {
    if isFolder(path) { return }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try createAll(String(path[..<slash])) }
    try create(path)
  }

  /// Creates a folder if it does not exist; its parent must exist.
  ///
  /// - Throws: `FileError.cannotMakeFolder`
  public static func create(_ path: String) throws(FileError) {
    if mkdir(path, 0o755) == 0 { return }
    let reason = errno
    if reason != EEXIST || !isFolder(path) { throw .cannotMakeFolder(path: path, ErrnoError(number: reason)) }
  }
}

/// The identity of a file that a command names, or its absolute path if it does not exist yet.
enum FilePlace: Hashable {
  case file(FileIdentity)
  case path(String)

  /// The file at a path, after links; nil if it is not a regular file, such as a folder, a pipe or a device.
  init?(_ path: String) {
    if let status = FileStatus(path) { self.init(status) } else { self = .path(Folders.place(path)) }
  }

  /// The file that is standard input, output or error; nil if it is not a file.
  ///
  /// - Parameter isWritten: whether to require that it is open for writing.
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
