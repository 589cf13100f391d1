#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folders of paths, and what is in them.
public enum FolderEntries {
  /// The folder in which the file at a path is: `.` where the path names none.
  public static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Calls `body` with each name in a folder, in no order and but for `.` and `..`, until it returns false.
  ///
  /// - Returns: 0, or the number of the error for which the folder cannot be read, or not to its end.
  @discardableResult
  public static func forEach(in folder: String, _ body: (String) -> Bool) -> Int32 {
    guard let directory = opendir(folder) else { return errno }
    defer { closedir(directory) }
    // At the end readdir leaves errno as it is, and after an error it sets it: both return nil (readdir(3)).
    errno = 0
    while let entry = readdir(directory) {
      // The system's entry may be shorter than its type in C, so the name is not copied out whole.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != "..", !body(name) { return 0 }
      errno = 0
    }
    return errno
  }

  /// All names in a folder; none where it cannot be read.
  public static func names(in folder: String) -> [String] {
    var names: [String] = []
    forEach(in: folder) {
      names.append($0)
      return true
    }
    return names
  }
}
