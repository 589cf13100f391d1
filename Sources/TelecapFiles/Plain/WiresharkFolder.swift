#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where Wireshark looks for a person's own Lua plugins, on Linux and macOS alike (Wireshark User's Guide, Appendix B.4).
public enum WiresharkFolder {
  /// The person's own folder: by HOME, or else by the password database; nil where neither tells.
  public static var home: String? {
    let told = getenv("HOME") ?? getpwuid(getuid())?.pointee.pw_dir
    return told.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The path of a plugin below that folder; what leads there is made where it is missing.
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
