#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder of the user's Lua plugins for Wireshark, on Linux and macOS alike (Wireshark User's Guide, Appendix B.4).
public enum WiresharkFolder {
  /// The user's home folder: from HOME, otherwise from the password database; nil if neither has it.
  public static var home: String? {
    let told = getenv("HOME") ?? getpwuid(getuid())?.pointee.pw_dir
    return told.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The path of a plugin in that folder; missing folders are created.
  ///
  /// - Throws: `FileError.cannotMakeFolder`
  public static func path(of plugin: String, in home: String) throws(FileError) -> String {
    var folder = home
    for part in [".local", "lib", "wireshark", "plugins"] {
      folder += "/\(part)"
      try Folders.create(folder)
    }
    return "\(folder)/\(plugin)"
  }
}
