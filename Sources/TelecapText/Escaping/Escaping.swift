/// Escapes untrusted text for another language: one function for each language, and one for its comments. Such text is
/// from files, captures, programs under test and command lines, and must enter an output only through these functions.
///
/// All functions process Unicode scalars. A Swift `Character` may be a quote with a combining accent, which is not
/// equal to `"'"`, but is a quote for a shell or YAML.
public enum Escaping {
  /// Replaces each scalar with the result of `escape`; nil leaves it unchanged.
  static func replacing(in text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// The number of a scalar with at least this many hexadecimal digits.
  static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int = 1) -> String {
    let number = String(scalar.value, radix: 16)
    return String(repeating: "0", count: max(0, digits - number.count)) + number
  }

  /// A CSV field (RFC 4180), in quotes if necessary.
  public static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 }) else { return text }
    return "\"" + replacing(in: text) { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// An SQL name, such as that of a table or a column, in quotes.
  public static func sqlName(_ name: String) -> String {
    "\"" + replacing(in: name) { $0 == "\"" ? "\"\"" : nil } + "\""
  }
}

extension Unicode.Scalar {
  /// Whether terminals, browsers and parsers only display it: it is not a control (C0, DEL, C1), a line separator, or a
  /// noncharacter, and does not change the direction of the text around it (Bidi_Control).
  public var isPlain: Bool { !isObeyed && value & 0xfffe != 0xfffe && !(0xfdd0...0xfdef).contains(value) }
}
