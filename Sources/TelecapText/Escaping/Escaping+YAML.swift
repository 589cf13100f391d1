extension Escaping {
  /// A YAML scalar within brackets, in quotes if it would otherwise be parsed as something else.
  public static func yaml(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy(isWordLike) && !text.hasPrefix("=")
    let isOther = ["", "~", "null", "true", "false", "yes", "no", "on", "off", ".", "-"].contains(text.lowercased())
    let isNumber =
      Double(text) != nil
      || text.allSatisfy { $0.isNumber || "+-_.".contains($0) } && text.count { $0 == "." } < 2
    return isPlain && !isOther && !isNumber ? text : yamlQuoted(text)
  }

  /// A YAML scalar in quotes.
  public static func yamlQuoted(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(\.isVisible) { return "'" + replacing(in: text) { $0 == "'" ? "''" : nil } + "'" }
    return "\""
      + replacing(in: text) { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        default:
          scalar.isVisible
            ? nil
            : scalar.value < 0x10000 ? "\\u" + hexadecimal(scalar, digits: 4) : "\\U" + hexadecimal(scalar, digits: 8)
        }
      } + "\""
  }

  /// A YAML scalar as a JSON string, which parsers of both languages read as the same text.
  public static func yamlJSON(_ text: String) -> String {
    var json = JSONWriter()
    // JSON does not escape C1 controls, but YAML does not allow them (YAML 1.2, §5.1).
    json.put(nil, replacing(in: text) { (0x80...0x9f).contains($0.value) ? " " : nil })
    return json.text
  }

  /// A one-line comment of at most 160 characters.
  public static func yamlComment(_ text: String) -> String {
    let line = text.printable
    return "# " + (line.count > 160 ? line.prefix(160) + "…" : line)
  }

  private static func isWordLike(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "/", "$", "=", "+", "-": true
    default: false
    }
  }
}
