#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Folders of the user.
public enum UserFolders {
  /// The home folder: from HOME, otherwise from the password database; nil if neither has it.
  public static var home: String? {
    let told = getenv("HOME") ?? getpwuid(getuid())?.pointee.pw_dir
    return told.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a file belongs to this user or to root, so that no other user can have written it.
  public static func isTrusted(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0)
  }

  /// The folder for data that telecap can make again; it may not exist yet. Nil without a home folder.
  public static var cache: String? {
    cache(asked: getenv("XDG_CACHE_HOME").map { String(cString: $0) }, home: home)
  }

  /// The folder named by XDG_CACHE_HOME, which is ignored unless it is absolute (XDG Base Directory Specification), or
  /// that of the system in the home folder.
  static func cache(asked: String?, home: String?) -> String? {
    if let asked, asked.hasPrefix("/") { return "\(asked)/telecap" }
    return home.map { "\($0)/\(systemCache)/telecap" }
  }

  #if canImport(Darwin)
    private static let systemCache = "Library/Caches"
  #else
    private static let systemCache = ".cache"
  #endif
}
