extension Escaping {
  /// A word of a shell command, in quotes if necessary: a shell into which it is pasted reads the same text, and runs
  /// nothing. A word with invisible characters becomes `$'…'` (POSIX.1-2024, 2.2.4; bash, ksh, zsh), so that it
  /// contains no line breaks or control characters.
  public static func shell(_ word: String) -> String {
    if !word.isEmpty, word.unicodeScalars.allSatisfy(needsNoQuotes), !word.hasPrefix("=") { return word }
    if word.unicodeScalars.allSatisfy(\.isVisible) {
      return "'" + replacing(in: word) { $0 == "'" ? "'\\''" : nil } + "'"
    }
    return "$'"
      + replacing(in: word) { scalar in
        switch scalar {
        case "'": "\\'"
        case "\\": "\\\\"
        case "\n": "\\n"
        default: scalar.isVisible ? nil : String(scalar).utf8.map(octal).joined()
        }
      } + "'"
  }

  /// A path as an argument; one that starts like an option is written relative to the current directory.
  public static func shellPath(_ path: String) -> String {
    shell(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
  }

  /// The words of a command line.
  public static func shellCommand(_ words: [String]) -> String { words.map(shell).joined(separator: " ") }

  /// Three digits, so that a following digit is not part of it.
  private static func octal(_ byte: UInt8) -> String {
    "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
  }

  private static func needsNoQuotes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "%", "+", ",", "-", ".", "/", ":", "=", "@", "_": true
    default: false
    }
  }
}
