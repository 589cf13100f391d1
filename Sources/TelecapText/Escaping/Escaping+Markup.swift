extension Escaping {
  /// Text or an attribute's value in XML 1.0 and HTML. Characters that XML cannot contain (XML 1.0, §2.2, Char), and
  /// those that change the direction of a page, become U+FFFD; a line feed in an attribute stays.
  public static func markup(_ text: String) -> String {
    // A fast path, because most text is paths of curves without special characters.
    if text.utf8.allSatisfy(isItself) { return text }
    return replacing(in: text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\n", "\t": nil
      default: scalar.isPlain ? nil : "\u{fffd}"
      }
    }
  }

  private static func isItself(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20...0x7e).contains(byte)
    }
  }

  /// An attribute's value in XML, in which a reader would otherwise change line feeds and tabs to spaces (§3.3.3).
  public static func attribute(_ text: String) -> String {
    replacing(in: markup(text)) { $0 == "\n" ? "&#10;" : $0 == "\t" ? "&#9;" : nil }
  }

  /// Text in a line of GitHub's and GitLab's Markdown, also in a table cell, without any markup.
  public static func markdown(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "$", "@", ":":
        // All variants of Markdown support character references, but not all support backslashes everywhere.
        "&#\(scalar.value);"
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: scalar.isPlain ? nil : " "
      }
    }
  }

  /// Markdown in a table cell, which a bar would end; other markup stays.
  public static func markdownCell(_ text: String) -> String { replacing(in: text) { $0 == "|" ? "\\|" : nil } }
}
