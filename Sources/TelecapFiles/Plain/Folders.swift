#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapCapture

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
    var (one, two) = (stat(), stat())
    switch (stat(path, &one) == 0, stat(other, &two) == 0) {
    case (true, true):
      return one.st_mode & S_IFMT == S_IFREG && one.st_dev == two.st_dev && one.st_ino == two.st_ino
    case (false, false): return place(path) == place(other)
    default: return false
    }
  }

  /// The whole path of a file that is not there yet; as it is spelled where its folder is not there either.
  private static func place(_ path: String) -> String {
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
