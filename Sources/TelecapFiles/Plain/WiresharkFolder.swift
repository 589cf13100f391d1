#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where Wireshark looks for a person's own Lua plugins, on Linux and macOS alike (Wireshark User's Guide, Appendix B.4).
public enum WiresharkFolder {
  /// The path of a plugin; its folder is made where there is none.
  ///
  /// - Throws: `FileError.cannotMakeFolder`
  public static func path(of plugin: String) throws(FileError) -> String {
    var folder = getenv("HOME").map { String(cString: $0) } ?? "."
    for part in [".local", "lib", "wireshark", "plugins"] {
      folder += "/\(part)"
      try Folders.create(folder)
    }
    return "\(folder)/\(plugin)"
  }
}
