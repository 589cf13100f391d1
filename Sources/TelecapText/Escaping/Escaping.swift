/// Text that others wrote, as it may stand in another language: one function for each language, and one for its comments. Files,
/// captures, programs under test and command lines choose such text; none of it goes into an output by another way.
///
/// All of them go by Unicode scalars. A Swift `Character` may be a quote and a combining accent, which is not equal to `"'"`;
/// to a shell or to YAML it is a quote all the same.
public enum Escaping {
  /// The text with what `escape` returns in the place of a scalar; nil leaves the scalar as it is.
  static func replacing(in text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// A scalar by its number, in so many hexadecimal digits at least.
  static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int = 1) -> String {
    let number = String(scalar.value, radix: 16)
    return String(repeating: "0", count: max(0, digits - number.count)) + number
  }

  /// A field of CSV (RFC 4180), in quotes where it needs them.
  public static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 }) else { return text }
    return "\"" + replacing(in: text) { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// A name of SQL, such as that of a table or a column, in its quotes.
  public static func sqlName(_ name: String) -> String {
    "\"" + replacing(in: name) { $0 == "\"" ? "\"\"" : nil } + "\""
  }
}

extension Unicode.Scalar {
  /// No terminal, browser or parser does anything for it but show it: it is no control (C0, DEL, C1), separates no lines, does not
  /// turn the direction of the text around it (Bidi_Control) and is no noncharacter.
  public var isPlain: Bool { !isObeyed && value & 0xfffe != 0xfffe && !(0xfdd0...0xfdef).contains(value) }
}
