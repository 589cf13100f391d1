/// Text made fit for the place where it is put. Systems under test write what they like, names and output among it: each
/// format has one function here, and all that is not ours goes through it.
enum Escaping {
  /// Text or an attribute's value of XML 1.0 and of HTML. What XML cannot hold in any form (XML 1.0, §2.2, Char) becomes
  /// U+FFFD; a line feed in an attribute survives.
  static func markup(_ text: String) -> String {
    // Most of it is the paths of curves, and as it stands nothing but itself.
    if text.utf8.allSatisfy(isItself) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(isPlain(scalar) ? scalar : "\u{fffd}")
      }
    }
    return result
  }

  private static func isItself(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20...0x7e).contains(byte)
    }
  }

  /// An attribute's value of XML, whose line feeds and tabs a reader would otherwise take for spaces (§3.3.3).
  static func attribute(_ text: String) -> String {
    markup(text).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "&#10;")
      .split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "&#9;")
  }

  /// Text in a line of GitHub's and GitLab's Markdown, also in a table's cell: nothing in it is a mark.
  static func markdown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "$", "@", ":":
        // A character reference is text in every dialect; a backslash is not honoured in all places.
        result += "&#\(scalar.value);"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(isPlain(scalar) ? scalar : " ")
      }
    }
    return result
  }

  /// A description behind a TAP test point: a `#` would begin a directive (TAP 14, Escaping).
  static func tap(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "#": result += "\\#"
      default: result.unicodeScalars.append(isPlain(scalar) ? scalar : " ")
      }
    }
    return result
  }

  /// The message of a workflow command of GitHub Actions: one line, in which a line feed is `%0A`.
  static func workflow(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { terminal(String($0)).replacing("%", with: "%25") }.joined(separator: "%0A")
  }

  /// A property of one, which a colon or a comma would end.
  static func workflowProperty(_ text: String) -> String {
    workflow(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  /// Text on one line of a terminal: nothing in it can move the cursor or change colours.
  static func terminal(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars { result.unicodeScalars.append(isPlain(scalar) ? scalar : " ") }
    return result
  }

  /// A word of a POSIX shell's command line, in quotes where it needs them.
  static func shell(_ word: String) -> String {
    let isSafe = word.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "%+,-./:=@_".unicodeScalars.contains($0))
    }
    if isSafe, !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Not a control (C0, DEL, C1), not a mark that turns the direction of the text around it, not a noncharacter.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069, 0xfffe...0xffff: false
    default: scalar.value & 0xfffe != 0xfffe
    }
  }
}
