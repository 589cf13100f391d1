/// What reads messages in Wireshark, the same for every protocol: it goes by the tables that stand before it in the plugin, as
/// `MessageDecoder` goes by a dialect's plan, in the same order. Lua 5.2 to 5.4.
enum WiresharkEngine {
  /// All of it: what stands first is used by what comes after.
  static let lua =
    (["local byte, sub = string.byte, string.sub\n"] + [
      numbers, text, checksum, recognition, message, direction, display, registering,
    ])
    .joined(separator: "\n")
}
