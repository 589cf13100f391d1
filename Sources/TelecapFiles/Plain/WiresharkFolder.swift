/// The folder of the user's Lua plugins for Wireshark, on Linux and macOS alike (Wireshark User's Guide, Appendix B.4).
public enum WiresharkFolder {
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
