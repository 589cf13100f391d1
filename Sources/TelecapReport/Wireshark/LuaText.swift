import TelecapText

/// Lua as text: values and comments as the language writes them (Lua 5.4 Reference Manual, 3.1).
enum LuaText {
  /// Bytes as a string; every one that is no plain character is an escape.
  static func bytes(_ bytes: some Sequence<UInt8>) -> String {
    "\"" + bytes.map { plain($0) ? String(UnicodeScalar($0)) : escape($0) }.joined() + "\""
  }

  /// Text as a string.
  static func text(_ text: String) -> String { bytes(text.utf8) }

  /// A comment of one line. A line break in the text would end it, and what follows would be run.
  static func comment(_ text: String) -> String { "-- " + text.printable }

  /// A number that reads back the same.
  static func number(_ value: Double) -> String {
    value.isNaN ? "0 / 0" : value.isInfinite ? (value < 0 ? "-math.huge" : "math.huge") : "\(value)"
  }

  /// A table of these entries, each as it stands.
  static func table(_ entries: [String]) -> String { "{" + entries.joined(separator: ", ") + "}" }

  private static func plain(_ byte: UInt8) -> Bool {
    (32..<127).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Three digits, so that a digit behind it is none of it.
  private static func escape(_ byte: UInt8) -> String {
    "\\" + String(repeating: "0", count: byte < 10 ? 2 : byte < 100 ? 1 : 0) + "\(byte)"
  }
}
