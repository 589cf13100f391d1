#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture
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

  /// Whether two paths name the same file, through links and however they are spelled; also one that is not there yet.
  /// What is no file of its own, as `/dev/null`, is never the same.
  public static func areSame(_ path: String, _ other: String) -> Bool {
    guard let one = FileIdentity(path) else { return false }
    return one == FileIdentity(other)
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
    guard let directory = opendir(folder) else { throw .noInput(path: folder, ErrnoError(number: errno)) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
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

/// Which file it is, whatever it is called: by its inode, or by its place where it is not there yet.
enum FileIdentity: Hashable {
  case file(device: UInt64, number: UInt64)
  case place(String)

  /// The file at a path, through links; nil of what is no file of its own, such as a folder, a pipe or a device.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) != 0 {
      self = .place(Folders.place(path))
    } else if let file = FileIdentity(status) {
      self = file
    } else {
      return nil
    }
  }

  /// The file that is standard input, output or error; nil where it is none.
  ///
  /// - Parameter isWritten: only where it takes what is written.
  init?(stream: Int32, isWritten: Bool = false) {
    var status = stat()
    guard fstat(stream, &status) == 0, !isWritten || fcntl(stream, F_GETFL) & O_ACCMODE != O_RDONLY,
      let file = FileIdentity(status)
    else { return nil }
    self = file
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self = .file(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
