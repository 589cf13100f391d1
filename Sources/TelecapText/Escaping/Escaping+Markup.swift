extension Escaping {
  /// Text or an attribute's value of XML 1.0 and of HTML. What XML cannot hold in any form (XML 1.0, §2.2, Char), and what would turn
  /// the direction of a page, becomes U+FFFD; a line feed in an attribute survives.
  public static func markup(_ text: String) -> String {
    // Most of it is the paths of curves, and as it stands nothing but itself.
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

  /// An attribute's value of XML, whose line feeds and tabs a reader would otherwise take for spaces (§3.3.3).
  public static func attribute(_ text: String) -> String {
    replacing(in: markup(text)) { $0 == "\n" ? "&#10;" : $0 == "\t" ? "&#9;" : nil }
  }

  /// Text in a line of GitHub's and GitLab's Markdown, also in a table's cell: nothing in it is a mark.
  public static func markdown(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "$", "@", ":":
        // A character reference is text in every dialect; a backslash is not honoured in all places.
        "&#\(scalar.value);"
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: scalar.isPlain ? nil : " "
      }
    }
  }

  /// Markdown as a cell of a table, which a bar would end; its other marks stay marks.
  public static func markdownCell(_ text: String) -> String { replacing(in: text) { $0 == "|" ? "\\|" : nil } }
}
