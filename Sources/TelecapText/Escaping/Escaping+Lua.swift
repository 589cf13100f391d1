extension Escaping {
  /// A Lua string with these bytes; all but plain characters are escaped (Lua 5.4 Reference Manual, 3.1).
  public static func lua(bytes: some Sequence<UInt8>) -> String {
    "\"" + bytes.map { isPlainInLua($0) ? String(UnicodeScalar($0)) : decimal($0) }.joined() + "\""
  }

  /// Text as a Lua string.
  public static func lua(_ text: String) -> String { lua(bytes: text.utf8) }

  /// A one-line Lua comment. A line break in the text would end it, and Lua would run the rest.
  public static func luaComment(_ text: String) -> String { "-- " + text.printable }

  private static func isPlainInLua(_ byte: UInt8) -> Bool {
    (32..<127).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Three digits, so that a following digit is not part of it.
  private static func decimal(_ byte: UInt8) -> String {
    "\\" + String(repeating: "0", count: byte < 10 ? 2 : byte < 100 ? 1 : 0) + "\(byte)"
  }
}
